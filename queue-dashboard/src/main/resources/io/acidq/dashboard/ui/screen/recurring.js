// @ts-check
/** Recurring messages: their schedules, next ticks and history. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t, tOr, number } from '../lib/i18n.js';
import { More, usePages } from '../lib/pages.js';
import { link } from '../lib/router.js';
import { ActButton, ActDialog } from '../lib/act.js';
import { Empty, Facts, Heading, Part, Paused, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

export function Recurring({ params }) {
  return params.name ? html`<${One} name=${params.name} />` : html`<${All} />`;
}

function All() {
  const pages = usePages('recurring', { limit: 100 }, 'recurring', 'name');
  return html`<${Heading} title=${t('nav.recurring')} />
    <${Part} live=${pages.live}>${() => (pages.rows.length === 0 ? html`<${Empty} title=${t('recurring.none')} text=${t('recurring.none.text')} />`
    : html`<${Table} caption=${t('nav.recurring')} rows=${pages.rows} rowKey=${(row) => row.name} columns=${[
      { name: 'name', text: t('recurring.name'), cell: (row) => html`<a href=${link('recurring', { name: row.name })}>${row.name}</a> ${row.paused && html`<${Paused} />`}` },
      { name: 'schedule', text: t('recurring.schedule'), cell: (row) => html`<code>${row.schedule}</code> <span class="quiet">${row.zone}</span>` },
      { name: 'to', text: t('recurring.to'), cell: (row) => (row.queue ? html`<${QueueLink} queue=${row.queue} />` : html`<a href=${link('topics', { topic: row.topic })}>${row.topic}</a>`) },
      { name: 'next', text: t('recurring.next'), cell: (row) => html`<${Time} at=${row.next} />` }]} /><${More} pages=${pages} />`)}</${Part}>`;
}

function One({ name }) {
  const live = useLive('recurring/one', { name });
  const [act, setAct] = useState('');
  const data = live.data;
  const dialog = { pause: ['queue.pause', false], resume: ['queue.resume', false], trigger: ['recurring.trigger', false], remove: ['recurring.remove', true] }[act];
  return html`<${Heading} title=${name} crumbs=${[[t('nav.recurring'), link('recurring')]]}>${data && html`
      <${ActButton} permission="OPERATE" act="TRIGGER" onClick=${() => setAct('trigger')}>${t('recurring.trigger')}</${ActButton}>
      <${ActButton} permission="OPERATE" act="CHANGE_RECURRING" onClick=${() => setAct(data.paused ? 'resume' : 'pause')}>${t(data.paused ? 'queue.resume' : 'queue.pause')}</${ActButton}>
      <${ActButton} permission="DESTROY" act="REMOVE_RECURRING" danger onClick=${() => setAct('remove')}>${t('recurring.remove')}</${ActButton}>`}</${Heading}>
    <${Part} live=${live} rows=${8}>${() => html`<section class="card"><${Facts} facts=${[
    [t('recurring.schedule'), html`<code>${data.schedule}</code>`], [t('recurring.zone'), data.zone], data.queue ? [t('word.queue'), html`<${QueueLink} queue=${data.queue} />`] : [t('word.topic'), data.topic],
    [t('word.state'), data.paused ? html`<${Paused} />` : t('recurring.on')], [t('recurring.misfire'), data.misfire], [t('recurring.grace'), data.grace], [t('recurring.overlap'), data.overlap],
    [t('recurring.spread'), data.spread], [t('recurring.expiresAfter'), data.expiresAfter],
    [t('recurring.declared'), t(data.declared ? 'yes' : 'no')], [t('recurring.changed'), html`<${Time} at=${data.changedAt} full />`]]} /></section>
    <section><h2>${t('recurring.next')}</h2>${data.nextTicks.length ? html`<ul class="plain">${data.nextTicks.map((each) => html`<li key=${each}><${Time} at=${each} full /></li>`)}</ul>` : html`<p class="quiet">${t('recurring.noNext')}</p>`}</section>
    <section><h2>${t('recurring.ticks')}</h2>${data.ticks.length ? html`<${Table} caption=${t('recurring.ticks')} rows=${data.ticks} rowKey=${(row) => row.tick + row.doneAt} columns=${[
    { name: 'tick', text: t('recurring.tick'), cell: (row) => html`<${Time} at=${row.tick} full />` }, { name: 'result', text: t('recurring.result'), cell: (row) => tOr(`tick.${row.result}`, row.result) },
    { name: 'missed', text: t('recurring.missed'), number: true, cell: (row) => number(row.missed) }]} />` : html`<p class="quiet">${t('recurring.noHistory')}</p>`}</section>`}</${Part}>
    ${dialog && html`<${ActDialog} title=${t(`recurring.${act}.title`, { name })} text=${t(`recurring.${act}.text`)} verb=${t(dialog[0])} danger=${dialog[1]} path=${`recurring/${act}`} confirm=${act === 'remove' ? name : ''}
      fields=${(reason) => ({ name, reason })} done=${(answer) => t(answer.changed ? `recurring.${act}.done` : 'action.nothing', { name })} onClose=${() => setAct('')} />`}`;
}
