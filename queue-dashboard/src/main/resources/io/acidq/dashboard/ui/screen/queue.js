// @ts-check
/** One queue: its numbers, who serves it, and what blocks it. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { link } from '../lib/router.js';
import { ActButton } from '../lib/act.js';
import { Count, Facts, Heading, Icon, MessageLink, Part } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { duration, Time } from '../lib/time.js';
import { Charts } from '../lib/chart.js';
import { BlockedTable } from './blocked.js';
import { PauseDialog } from './queues.js';

export function Queue({ params }) {
  const queue = params.queue || '';
  const live = useLive(queue ? 'queue' : null, { queue });
  const blocked = useLive(queue && live.data ? 'blocked' : null, { queue, limit: 5 });
  const [acting, setActing] = useState(false);
  const data = live.data;
  return html`<${Heading} title=${queue || t('word.queue')} crumbs=${[[t('nav.queues'), link('queues')]]} note=${data?.asOf && html`${t('asOf')} <${Time} at=${data.asOf} />`}>
      ${data && html`<${ActButton} permission="OPERATE" act="PAUSE" onClick=${() => setActing(true)}>${t(data.paused ? 'queue.resume' : 'queue.pause')}</${ActButton}>`}</${Heading}>
    <${Part} live=${live} rows=${6}>${() => html`
      ${data.paused && html`<div class="callout warning"><${Icon} name="pause" /><div><p><b>${t('queue.isPaused')}</b></p><p>${t('queue.isPaused.text')} ${data.pausedBy ? html`${data.pausedBy.actor}: ${data.pausedBy.reason}` : html`<a href=${link('audit', { queue })}>${t('queue.whoPaused')}</a>`}</p></div></div>`}
      ${data.servedBy.length === 0 && html`<div class=${`callout ${data.ready > 0 ? 'problem' : ''}`}><${Icon} name="problem" /><div><p><b>${t('queue.noListener')}</b></p><p>${t('queue.noListener.text')}</p></div></div>`}
      <${Numbers} data=${data} />
      <${Charts} queue=${queue} params=${params} />
      <section><h2>${t('queue.servedBy')}</h2>${data.servedBy.length ? html`<${Serving} nodes=${data.servedBy} />` : html`<p class="quiet">${t('queue.noListener')}</p>`}
      ${data.listeners.map((each, i) => html`<div class="card" key=${i}><h3>${t('queue.here')}</h3><${Facts} facts=${[
    [t('listener.workers'), html`<${Count} value=${each.running} /> / <${Count} value=${each.workers} />`], [t('listener.unstarted'), html`<${Count} value=${each.unstarted} />`],
    [t('listener.strategy'), each.claimStrategy], each.suspect && [t('listener.suspect'), html`<${MessageLink} id=${each.suspect} />`],
    each.guards.length > 0 && [t('listener.guards'), each.guards.join('; ')]]} /></div>`)}</section>`}</${Part}>
    ${blocked.data && blocked.data.blockedKeys.length > 0 && html`<section><h2>${t('nav.blocked')}</h2><${BlockedTable} queue=${queue} keys=${blocked.data.blockedKeys} />
      ${!blocked.data.complete && html`<p><a href=${link('blocked', { queue })}>${t('more')}</a></p>`}</section>`}
    ${acting && html`<${PauseDialog} queue=${data} onClose=${() => setActing(false)} />`}`;
}

function Numbers({ data }) {
  const { queue } = data;
  const tiles = [
    ['ready', link('messages', { queue, state: 'READY' })], ['running', link('messages', { queue, state: 'RUNNING' })], ['waiting', link('messages', { queue, state: 'WAITING' })],
    ['scheduled', link('scheduled', { queue })], ['dead', link('dead', { queue })],
  ];
  return html`<section><h2 class="hidden">${t('overview.totals')}</h2><ul class="tiles">${tiles.map(([name, href]) => html`<li key=${name}>
    <a href=${href} class=${name === 'dead' && data.dead > 0 ? 'problem' : ''}><span>${t(`count.${name}`)}</span><b><${Count} value=${data[name]} complete=${data.complete} /></b></a></li>`)}
    <li><div><span>${t('count.oldest')}</span><b>${data.oldestSeconds === undefined ? '–' : duration(data.oldestSeconds)}</b></div></li></ul>
    ${(data.high > 0 || data.low > 0) && html`<p class="quiet">${t('queue.priorities', { high: data.high, low: data.low })}</p>`}</section>`;
}

export const Serving = ({ nodes }) => html`<${Table} caption=${t('queue.servedBy')} rows=${nodes} rowKey=${(row) => String(row.node)} columns=${[
  { name: 'node', text: t('word.node'), cell: (row) => html`<span class="mono">${row.node}</span>` },
  { name: 'host', text: t('nodes.host'), cell: (row) => row.host },
  { name: 'since', text: t('nodes.since'), cell: (row) => html`<${Time} at=${row.since} />` }]} />`;

