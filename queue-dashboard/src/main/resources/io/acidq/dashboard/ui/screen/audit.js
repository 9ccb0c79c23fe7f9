// @ts-check
/** What operators did. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { setParams } from '../lib/router.js';
import { Empty, Heading, MessageLink, Part, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

export function Audit({ params }) {
  const live = useLive('audit', { limit: 200 });
  return html`<${Heading} title=${t('nav.audit')} note=${t('audit.note')} />
    ${params.queue && html`<p class="filter">${t('word.queue')} ${params.queue} <button class="small" onClick=${() => setParams({ queue: '' }, false)}>${t('audit.allQueues')}</button></p>`}
    <${Part} live=${live} rows=${8}>${(data) => {
    const entries = data.entries.filter((each) => !params.queue || each.queue === params.queue);
    return entries.length === 0 ? html`<${Empty} title=${t('audit.none')} text=${t('audit.none.text')} />`
      : html`<${AuditTable} entries=${entries} />${!data.complete && html`<p class="quiet">${t('audit.cut')}</p>`}`;
  }}</${Part}>`;
}

export const AuditTable = ({ entries }) => html`<${Table} caption=${t('nav.audit')} rows=${entries} rowKey=${(row) => String(row.id)} columns=${[
  { name: 'at', text: t('audit.at'), cell: (row) => html`<${Time} at=${row.at} />` },
  { name: 'actor', text: t('audit.actor'), wide: true, cell: (row) => html`<span class="clip" title=${row.actor}>${row.actor}</span>` },
  { name: 'action', text: t('audit.action'), cell: (row) => html`<b>${row.action}</b>` },
  { name: 'what', text: t('audit.what'), cell: (row) => (row.message ? html`<${MessageLink} id=${row.message} />` : row.queue ? html`<${QueueLink} queue=${row.queue} />` : '') },
  { name: 'reason', text: t('audit.reason'), wide: true, cell: (row) => html`<span class="clip" title=${row.reason}>${row.reason}</span>` },
  { name: 'detail', text: t('audit.detail'), wide: true, optional: (row) => row.filter || row.detail, cell: (row) => html`<span class="clip quiet" title=${row.detail}>${[row.filter, row.detail].filter(Boolean).join(' · ')}</span>` }]} />`;
