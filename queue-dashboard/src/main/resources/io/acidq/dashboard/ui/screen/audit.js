// @ts-check
/** What operators did. */
import { html } from '../lib/html.js';
import { download } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { More, usePages } from '../lib/pages.js';
import { link } from '../lib/router.js';
import { Chosen, Search } from '../lib/search.js';
import { Empty, Heading, MessageLink, Part, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

const WORDS = ['actor', 'action', 'queue', 'bulk', 'since', 'until'];

export function Audit({ params }) {
  const filter = Object.fromEntries(WORDS.map((word) => [word, params[word]]));
  const pages = usePages('audit', filter, 'entries');
  return html`<${Heading} title=${t('nav.audit')} note=${t('audit.note')}><button onClick=${() => download('audit', filter, 'text/csv', 'audit.csv')}>${t('audit.csv')}</button></${Heading}>
    <${Search} words=${WORDS} />
    <${Chosen} params=${filter} />
    <${Part} live=${pages.live} rows=${8}>${() => html`${pages.rows.length === 0 ? html`<${Empty} title=${t('audit.none')} text=${t('audit.none.text')} />`
    : html`<${AuditTable} entries=${pages.rows} />`}<${More} pages=${pages} />`}</${Part}>`;
}

/** The number of the bulk action that an entry is, or stops. */
const bulkOf = (row) => (row.action === 'stop' ? row.detail?.match(/^bulk=([1-9]\d*) /)?.[1] : row.filter && !row.bulk ? row.id : '');

export const AuditTable = ({ entries }) => html`<${Table} caption=${t('nav.audit')} rows=${entries} rowKey=${(row) => String(row.id)} columns=${[
  { name: 'at', text: t('audit.at'), cell: (row) => html`<${Time} at=${row.at} />` },
  { name: 'actor', text: t('audit.actor'), wide: true, cell: (row) => html`<span class="clip" title=${row.actor}>${row.actor}</span>` },
  { name: 'action', text: t('audit.action'), cell: (row) => (bulkOf(row) ? html`<a href=${link('bulk', { id: bulkOf(row) })} title=${t('bulk.single')}><b>${row.action}</b></a>` : html`<b>${row.action}</b>`) },
  { name: 'what', text: t('audit.what'), cell: (row) => (row.message ? html`<${MessageLink} id=${row.message} />` : row.queue ? html`<${QueueLink} queue=${row.queue} />` : '') },
  { name: 'reason', text: t('audit.reason'), wide: true, cell: (row) => html`<span class="clip" title=${row.reason}>${row.reason}</span>` },
  { name: 'detail', text: t('audit.detail'), wide: true, optional: (row) => row.filter || row.detail, cell: (row) => html`<span class="clip quiet" title=${row.detail}>${[row.filter, row.detail].filter(Boolean).join(' · ')}</span>` }]} />`;
