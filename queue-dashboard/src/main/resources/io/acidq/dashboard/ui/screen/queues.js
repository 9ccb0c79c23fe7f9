// @ts-check
/** The queues with their numbers. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { number, t } from '../lib/i18n.js';
import { link, setParams } from '../lib/router.js';
import { ActButton, ActDialog } from '../lib/act.js';
import { Count, Empty, Heading, Part, Paused, QueueLink } from '../lib/parts.js';
import { Sparkline } from '../lib/chart.js';
import { Table } from '../lib/table.js';
import { duration, Time } from '../lib/time.js';

const PAGE = 100;
const MOST = 1000;

export function Queues({ params }) {
  const limit = Number(params.limit) || PAGE;
  const live = useLive('queues', { q: params.q, sort: params.sort, limit });
  const [act, setAct] = useState(/** @type {any} */ (null));
  return html`<${Heading} title=${t('nav.queues')} note=${live.data && html`${t('asOf')} <${Time} at=${live.data.asOf} />`} />
    <div class="filters"><label class="field"><span class="hidden">${t('queues.filter')}</span>
      <input type="search" placeholder=${t('queues.filter')} value=${params.q || ''} onInput=${(event) => setParams({ q: event.currentTarget.value })} /></label></div>
    <${Part} live=${live} rows=${8}>${(data) => (data.queues.length === 0
    ? params.q ? html`<${Empty} title=${t('queues.noMatch', { q: params.q })} />` : html`<${Empty} title=${t('queues.none')} text=${t('queues.none.text')} />`
    : html`<${QueueTable} queues=${data.queues} caption=${t('nav.queues')} sort=${params.sort || 'queue'} onSort=${(sort) => setParams({ sort })} onAct=${setAct} />
      ${!data.complete && data.queues.length >= limit && limit < MOST && html`<button onClick=${() => setParams({ limit: Math.min(MOST, limit * 3) })}>${t('more')}</button>`}`)}</${Part}>
    ${act && html`<${PauseDialog} queue=${act} onClose=${() => setAct(null)} />`}`;
}

/** Pauses or resumes a queue, whichever it is not. */
export function PauseDialog({ queue, onClose }) {
  const action = queue.paused ? 'resume' : 'pause';
  return html`<${ActDialog} title=${t(`queue.${action}.title`, { queue: queue.queue })} text=${t(`queue.${action}.text`)} verb=${t(`queue.${action}`)} path=${`queue/${action}`} queue=${queue.queue}
    fields=${(reason) => ({ queue: queue.queue, reason })} done=${(answer) => t(answer.changed ? `queue.${action}.done` : `queue.${action}.not`, { queue: queue.queue })} onClose=${onClose} />`;
}

export function QueueTable({ queues, caption, sort = '', onSort = undefined, onAct = undefined }) {
  const count = (name, href = undefined) => ({
    name, text: t(`count.${name}`), number: true, sort: name,
    cell: (row) => html`${href && row[name] > 0 ? html`<a class=${name === 'dead' ? 'problem' : ''} href=${href(row)}><${Count} value=${row[name]} complete=${row.complete} /></a>`
      : html`<${Count} value=${row[name]} complete=${row.complete} quietZero />`}`,
  });
  const columns = [
    { name: 'queue', text: t('word.queue'), sort: 'queue', cell: (row) => html`<${QueueLink} queue=${row.queue} /> ${row.paused && html`<${Paused} />`}` },
    count('ready', (row) => link('messages', { queue: row.queue, state: 'READY' })), count('running', (row) => link('messages', { queue: row.queue, state: 'RUNNING' })),
    count('waiting', (row) => link('blocked', { queue: row.queue })), count('scheduled', (row) => link('scheduled', { queue: row.queue })), count('dead', (row) => link('dead', { queue: row.queue })),
    { name: 'oldest', text: t('count.oldest'), number: true, sort: 'oldest', cell: (row) => (row.oldestSeconds === undefined ? html`<span class="quiet">–</span>` : duration(row.oldestSeconds)) },
    { name: 'course', text: t('queues.course'), optional: (row) => row.course, cell: (row) => html`<${Sparkline} values=${row.course} />` },
    { name: 'done', text: t('queues.done'), number: true, optional: (row) => row.donePerMinute !== undefined, cell: (row) => html`<span class=${row.donePerMinute ? '' : 'quiet'}>${number(row.donePerMinute)}</span>` },
    { name: 'failed', text: t('queues.failed'), number: true, optional: (row) => row.failedPerMinute > 0, cell: (row) => html`<span class=${row.failedPerMinute ? 'problem' : 'quiet'}>${number(row.failedPerMinute)}</span>` },
    { name: 'p95', text: t('queues.slowest'), number: true, optional: (row) => row.p95Seconds !== undefined, cell: (row) => (row.p95Seconds === undefined ? html`<span class="quiet">–</span>` : html`${number(row.p95Seconds)} s`) },
    {
      name: 'servedBy', text: t('queue.servedBy'), number: true,
      cell: (row) => (row.servedBy.length ? html`<span title=${row.servedBy.map((node) => `${node.node} ${node.host}`).join(', ')}>${t('nodes.count', { n: row.servedBy.length })}</span>`
        : html`<span class=${row.ready > 0 ? 'problem' : 'quiet'}>${t('queue.noListener')}</span>`),
    },
  ];
  if (onAct) {
    columns.push({
      name: 'act', text: '', number: true,
      cell: (row) => html`<${ActButton} permission="OPERATE" act="PAUSE" small onClick=${() => onAct(row)}>${t(row.paused ? 'queue.resume' : 'queue.pause')}</${ActButton}>`,
    });
  }
  return html`<${Table} caption=${caption} columns=${columns} rows=${queues} rowKey=${(row) => row.queue} sort=${sort} onSort=${onSort} />`;
}
