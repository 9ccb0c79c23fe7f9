// @ts-check
/** Dead letters: their causes, over all queues or in one, and the letters of a queue or of one cause. */
import { html, useEffect, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t, number } from '../lib/i18n.js';
import { More, usePages } from '../lib/pages.js';
import { link } from '../lib/router.js';
import { Chosen, Search } from '../lib/search.js';
import { ActButton, BulkDialog } from '../lib/act.js';
import { Count, Empty, Heading, MessageLink, Part } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { relative, Time } from '../lib/time.js';
import { RunningBulks } from './bulk.js';

export function Dead({ params }) {
  return params.queue ? html`<${Letters} key=${JSON.stringify(params)} queue=${params.queue} cause=${params.cause} type=${params.type} messageKey=${params.key} />` : html`<${AllGroups} />`;
}

function AllGroups() {
  const live = useLive('dead/groups', { limit: 200 });
  const [act, setAct] = useState(/** @type {any} */ (null));
  return html`<${Heading} title=${t('nav.dead')} note=${t('dead.note')} />
    <${RunningBulks} />
    <${Part} live=${live} rows=${8}>${(data) => (data.groups.length === 0 ? html`<${Empty} title=${t('dead.none')} text=${t('dead.none.text')} />`
    : html`<${Groups} data=${data} onAct=${setAct} />`)}</${Part}>
    ${act && html`<${BulkDialog} ...${act} onClose=${() => setAct(null)} />`}`;
}

/** Groups of letters with the same cause, that of the newest letter first. */
function Groups({ data, onAct, ofOneQueue = false }) {
  return html`<${Table} caption=${t('dead.causes')} rows=${data.groups} rowKey=${(row) => `${row.queue} ${row.cause}`} columns=${[
    { name: 'letters', text: t('dead.count'), number: true, cell: (row) => html`<${Count} value=${row.letters} complete=${row.complete} />` },
    ...(ofOneQueue ? [] : [{ name: 'queue', text: t('word.queue'), cell: (row) => html`<a href=${link('dead', { queue: row.queue })}>${row.queue}</a>` }]),
    { name: 'error', text: t('word.error'), wide: true, cell: (row) => html`<a class="clip error-text" href=${link('dead', { queue: row.queue, cause: row.cause })} title=${row.error}>${firstLine(row.error)}</a>${row.lastReplayed && html`<br /><span class="quiet">${t('dead.lastReplayed', { actor: row.lastReplayed.actor, when: relative(row.lastReplayed.at), n: row.lastReplayed.deadLettersSince })}</span>`}` },
    { name: 'type', text: t('message.type'), wide: true, cell: (row) => html`<span class="clip" title=${row.type}>${row.type}</span>` },
    { name: 'first', text: t('dead.first'), cell: (row) => html`<${Time} at=${row.firstDiedAt} />` },
    { name: 'last', text: t('dead.last'), cell: (row) => html`<${Time} at=${row.lastDiedAt} />` },
    { name: 'act', text: '', number: true, cell: (row) => html`<${ActButton} permission="OPERATE" act="REPLAY" small onClick=${() => onAct({ action: 'replay', queue: row.queue, selection: { cause: row.cause }, what: t('bulk.cause', row) })}>${t('bulk.replay')}</${ActButton}>` },
  ]} />${!data.complete && html`<p class="quiet">${t('dead.causes.more')}</p>`}`;
}

function Letters({ queue, cause, type, messageKey }) {
  const filter = { cause, type, key: messageKey };
  const pages = usePages('dead', { queue, ...filter }, 'deadLetters');
  const groups = useLive('dead/groups', { queue, cause });
  const [selected, select] = useState(new Set());
  const [act, setAct] = useState(/** @type {any} */ (null));
  const letters = pages.rows;
  useEffect(() => {
    const there = new Set(letters.map((each) => each.id));
    if ([...selected].some((id) => !there.has(id))) {
      select(new Set([...selected].filter((id) => there.has(id))));
    }
  });
  const close = () => {
    setAct(null);
    select(new Set());
    pages.reset();
  };
  const ids = [...selected];
  const words = Object.entries(filter).filter(([, value]) => value);
  const begin = (action) => setAct(ids.length ? { action, selection: { ids }, what: t('bulk.selected', { n: ids.length, queue }) }
    : { action, selection: Object.fromEntries(words), what: words.length ? t('bulk.filter', { queue, filter: words.map((each) => each.join(':')).join(' ') }) : t('bulk.queue', { queue }) });
  const label = (action) => (ids.length ? t(`bulk.${action}.action`, { count: ids.length }) : words.length ? t(`bulk.${action}.matching`) : t(`bulk.${action}.all`));
  return html`<${Heading} title=${t('dead.of', { queue })} crumbs=${[[t('nav.dead'), link('dead')], [queue, link('queue', { queue })]]}>
      <${ActButton} permission="OPERATE" act="REPLAY" keyName="r" disabled=${letters.length ? '' : t('dead.nothing')} onClick=${() => begin('replay')}>${label('replay')}</${ActButton}>
      <${ActButton} permission="DESTROY" act="DISCARD" danger disabled=${letters.length ? '' : t('dead.nothing')} onClick=${() => begin('discard')}>${label('discard')}</${ActButton}></${Heading}>
    <${RunningBulks} queue=${queue} />
    <${Search} words=${['type', 'key', 'cause']} />
    <${Chosen} params=${filter} />
    <${Part} live=${pages.live} rows=${8}>${() => html`${(letters.length > 0 || cause) && html`<section><h2>${cause ? t('message.cause') : t('dead.causes')}</h2>
        <${Part} live=${groups}>${(data) => html`<${Groups} data=${data} onAct=${setAct} ofOneQueue />`}</${Part}></section>`}
      ${letters.length === 0 ? html`<${Empty} title=${words.length ? t('dead.noneMatch') : t('dead.noneIn', { queue })} text=${t('dead.none.text')} />`
    : html`<section><h2>${t('dead.letters')}</h2><${LetterTable} letters=${letters} selected=${selected} onSelect=${select} /></section>`}
      <${More} pages=${pages} />`}</${Part}>
    ${act && html`<${BulkDialog} queue=${queue} ...${act} onClose=${close} />`}`;
}

const LetterTable = ({ letters, selected, onSelect }) => html`<${Table} caption=${t('dead.letters')} rows=${letters} rowKey=${(row) => row.id} selected=${selected} onSelect=${onSelect} columns=${[
  { name: 'id', text: t('word.message'), cell: (row) => html`<${MessageLink} id=${row.id} />` },
  { name: 'died', text: t('message.deadSince'), cell: (row) => html`<${Time} at=${row.diedAt} />` },
  { name: 'error', text: t('word.error'), wide: true, cell: (row) => html`<span class="clip error-text" title=${row.error}>${firstLine(row.error)}</span>` },
  { name: 'type', text: t('message.type'), wide: true, cell: (row) => html`<span class="clip" title=${row.type}>${row.type}</span>` },
  { name: 'key', text: t('message.key'), wide: true, optional: (row) => row.key, cell: (row) => html`<span class="clip mono" title=${row.key}>${row.key || ''}</span>` },
  { name: 'attempts', text: t('message.attempts'), number: true, cell: (row) => number(row.attempts) },
  { name: 'crashes', text: t('message.crashes'), number: true, cell: (row) => html`<${Count} value=${row.crashes} quietZero />` }]} />`;

const firstLine = (text) => String(text).split('\n', 1)[0] || '–';
