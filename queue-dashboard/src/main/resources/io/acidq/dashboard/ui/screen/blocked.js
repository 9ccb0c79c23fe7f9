// @ts-check
/** Ordering keys that a dead letter blocks. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { link, setParams } from '../lib/router.js';
import { ActButton, ActDialog, BulkDialog } from '../lib/act.js';
import { Count, Empty, Heading, MessageLink, Part, QueueChoice } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

export function Blocked({ params }) {
  const { queue } = params;
  const queues = useLive('queues', { sort: 'dead', limit: 100 });
  const live = useLive(queue ? 'blocked' : null, { queue, limit: params.limit });
  return html`<${Heading} title=${t('nav.blocked')} note=${t('blocked.note')} crumbs=${queue ? [[queue, link('queue', { queue })]] : []} />
    <div class="filters"><${QueueChoice} queues=${queues.data?.queues || []} value=${queue} onChange=${(value) => setParams({ queue: value, limit: '' }, false)} /></div>
    ${queue ? html`<${Part} live=${live} rows=${6}>${(data) => (data.blockedKeys.length === 0 ? html`<${Empty} title=${t('blocked.noneIn', { queue })} text=${t('blocked.none.text')} />`
    : html`<${BlockedTable} queue=${queue} keys=${data.blockedKeys} />${!data.complete && Number(params.limit) !== 200 && html`<button onClick=${() => setParams({ limit: 200 })}>${t('more')}</button>`}`)}</${Part}>`
    : html`<${Part} live=${queues}>${(data) => {
      const rows = data.queues.filter((each) => each.dead > 0);
      return rows.length === 0 ? html`<${Empty} title=${t('blocked.none')} text=${t('blocked.none.text')} />`
        : html`<p>${t('blocked.maybe')}</p><${Table} caption=${t('nav.blocked')} rows=${rows} rowKey=${(row) => row.queue} columns=${[
          { name: 'queue', text: t('word.queue'), cell: (row) => html`<a href=${link('blocked', { queue: row.queue })}>${row.queue}</a>` },
          { name: 'waiting', text: t('count.waiting'), number: true, cell: (row) => html`<${Count} value=${row.waiting} complete=${row.complete} />` },
          { name: 'dead', text: t('count.dead'), number: true, cell: (row) => html`<${Count} value=${row.dead} complete=${row.complete} />` }]} />`;
    }}</${Part}>`}`;
}

export function BlockedTable({ queue, keys }) {
  const [act, setAct] = useState(/** @type {any} */ (null));
  const close = () => setAct(null);
  return html`<${Table} caption=${t('nav.blocked')} rows=${keys} rowKey=${(row) => row.deadLetter} columns=${[
    { name: 'key', text: t('message.orderingKey'), wide: true, cell: (row) => html`<span class="clip mono" title=${row.orderingKey}>${row.orderingKey}</span>` },
    { name: 'dead', text: t('blocked.by'), cell: (row) => html`<${MessageLink} id=${row.deadLetter} />` },
    { name: 'since', text: t('blocked.since'), cell: (row) => html`<${Time} at=${row.since} />` },
    { name: 'waiting', text: t('count.waiting'), number: true, cell: (row) => html`<${Count} value=${row.waiting} complete=${row.complete} />` },
    { name: 'error', text: t('word.error'), wide: true, cell: (row) => html`<span class="clip error-text" title=${row.error}>${String(row.error).split('\n', 1)[0]}</span>` },
    {
      name: 'act', text: '', number: true, cell: (row) => html`<span class="row-acts"><${ActButton} permission="OPERATE" act="REPLAY" small onClick=${() => setAct({ ...row, action: 'replay' })}>${t('bulk.replay')}</${ActButton}>
      <${ActButton} permission="OPERATE" act="RELEASE" small onClick=${() => setAct({ ...row, action: 'release' })}>${t('blocked.release')}</${ActButton}></span>`,
    }]} />
    ${act && act.action === 'replay' && html`<${BulkDialog} action="replay" queue=${queue} selection=${{ ids: [act.deadLetter] }} what=${t('blocked.replay', { key: act.orderingKey })} onClose=${close} />`}
    ${act && act.action === 'release' && html`<${ActDialog} title=${t('blocked.release.title')} text=${t('blocked.release.text', { key: act.orderingKey })} verb=${t('blocked.release')} path="blocked/release" queue=${queue}
      fields=${(reason) => ({ queue, orderingKey: act.orderingKey, deadLetter: act.deadLetter, reason, dryRun: false })} done=${(answer) => t(answer.changed ? 'blocked.release.done' : 'action.nothing', { key: act.orderingKey })} onClose=${close} />`}`;
}
