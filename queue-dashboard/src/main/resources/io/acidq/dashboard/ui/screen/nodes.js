// @ts-check
/** The living nodes, the queues that they serve, and what they run now. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Count, Empty, Heading, Icon, Level, MessageLink, Part, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { duration, now, Time } from '../lib/time.js';

const OLD_SECONDS = 10;

export function Nodes() {
  const live = useLive('nodes');
  return html`<${Heading} title=${t('nav.nodes')} note=${t('nodes.note')} />
    <${Part} live=${live}>${(data) => (data.nodes.length === 0 ? html`<${Empty} title=${t('nodes.none')} text=${t('nodes.none.text')} />`
    : html`<${List} nodes=${[...data.nodes].sort((a, b) => a.host.localeCompare(b.host) || a.node - b.node)} />
      <${Running} nodes=${data.nodes} />`)}</${Part}>`;
}

const sum = (node, name) => (node.work || []).reduce((all, each) => all + each[name], 0);
const guardsOf = (node) => (node.work || []).flatMap((each) => each.guards.map((guard) => `${each.queue}: ${guard}`));

function List({ nodes }) {
  return html`<${Table} caption=${t('nav.nodes')} rows=${nodes} rowKey=${(row) => String(row.node)} columns=${[
    { name: 'node', text: t('word.node'), cell: (row) => html`<span class="mono">${row.node}</span>` }, { name: 'host', text: t('nodes.host'), cell: (row) => row.host },
    { name: 'state', text: t('word.state'), cell: (row) => html`<${Level} level=${row.alive ? 'OK' : 'PROBLEM'} />` }, { name: 'since', text: t('nodes.since'), cell: (row) => html`<${Time} at=${row.since} />` },
    { name: 'version', text: t('nodes.version'), cell: (row) => row.version },
    { name: 'running', text: t('count.running'), number: true, cell: (row) => (row.work ? html`<${Count} value=${sum(row, 'running')} /> / <${Count} value=${sum(row, 'workers')} />` : html`<span class="quiet">0</span>`) },
    { name: 'unstarted', text: t('listener.unstarted'), number: true, cell: (row) => html`<${Count} value=${sum(row, 'unstarted')} quietZero />` },
    {
      name: 'guards', text: t('listener.guards'), wide: true, optional: (row) => guardsOf(row).length > 0,
      cell: (row) => html`<span class="list">${guardsOf(row).map((guard) => html`<span key=${guard} class="warning"><${Icon} name="warning" /> ${guard}</span>`)}</span>`,
    },
    { name: 'queues', text: t('nav.queues'), wide: true, cell: (row) => html`<span class="list">${row.queues.map((queue) => html`<${QueueLink} key=${queue} queue=${queue} />`)}</span>` }]} />`;
}

/** What runs now, the longest first. A report is greyed when it is old: nothing has changed since, or the node hangs. */
function Running({ nodes }) {
  const runs = nodes.flatMap((node) => (node.longestRuns || []).map((each) => ({ ...each, node: node.node, old: now() - Date.parse(node.reportedAt) > OLD_SECONDS * 1000 && each.seconds < OLD_SECONDS })))
    .sort((a, b) => b.seconds - a.seconds);
  return html`<section><h2>${t('nodes.running')}</h2>${runs.length === 0 ? html`<p class="quiet">${t('nodes.running.none')}</p>`
    : html`<${Table} caption=${t('nodes.running')} rows=${runs} rowKey=${(row) => row.id} rowClass=${(row) => (row.old ? 'stale' : '')} columns=${[
      { name: 'id', text: t('word.message'), cell: (row) => html`<${MessageLink} id=${row.id} />` }, { name: 'queue', text: t('word.queue'), cell: (row) => html`<${QueueLink} queue=${row.queue} />` },
      { name: 'node', text: t('word.node'), cell: (row) => html`<span class="mono">${row.node}</span>` }, { name: 'seconds', text: t('nodes.running.for'), number: true, cell: (row) => duration(row.seconds) }]} />`}</section>`;
}
