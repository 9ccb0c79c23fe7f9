// @ts-check
/** The living nodes, and the queues that they serve. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Empty, Heading, Level, Part, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

export function Nodes() {
  const live = useLive('nodes');
  return html`<${Heading} title=${t('nav.nodes')} note=${t('nodes.note')} />
    <${Part} live=${live}>${(data) => (data.nodes.length === 0 ? html`<${Empty} title=${t('nodes.none')} text=${t('nodes.none.text')} />`
    : html`<${Table} caption=${t('nav.nodes')} rows=${[...data.nodes].sort((a, b) => a.host.localeCompare(b.host) || a.node - b.node)} rowKey=${(row) => String(row.node)} columns=${[
      { name: 'node', text: t('word.node'), cell: (row) => html`<span class="mono">${row.node}</span>` }, { name: 'host', text: t('nodes.host'), cell: (row) => row.host },
      { name: 'state', text: t('word.state'), cell: (row) => html`<${Level} level=${row.alive ? 'OK' : 'PROBLEM'} />` }, { name: 'since', text: t('nodes.since'), cell: (row) => html`<${Time} at=${row.since} />` },
      { name: 'queues', text: t('nav.queues'), wide: true, cell: (row) => html`<span class="list">${row.queues.map((queue) => html`<${QueueLink} key=${queue} queue=${queue} />`)}</span>` }]} />`)}</${Part}>`;
}
