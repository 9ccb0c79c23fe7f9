// @ts-check
/** Messages that wait for their due time, soonest first. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { link, setParams } from '../lib/router.js';
import { Count, Empty, Heading, Part, QueueChoice } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { MessageTable } from './messages.js';

export function Scheduled({ params }) {
  const { queue } = params;
  const queues = useLive('queues', { sort: 'scheduled', limit: 100 });
  const live = useLive(queue ? 'scheduled' : null, { queue, limit: params.limit });
  return html`<${Heading} title=${t('nav.scheduled')} note=${t('scheduled.note')} crumbs=${queue ? [[queue, link('queue', { queue })]] : []} />
    <div class="filters"><${QueueChoice} queues=${queues.data?.queues || []} value=${queue} onChange=${(value) => setParams({ queue: value, limit: '' }, false)} /></div>
    ${queue ? html`<${Part} live=${live} rows=${8}>${(data) => (data.messages.length === 0 ? html`<${Empty} title=${t('scheduled.noneIn', { queue })} text=${t('scheduled.none.text')} />`
    : html`<${MessageTable} messages=${data.messages} dueFirst />${!data.complete && Number(params.limit) !== 200 && html`<button onClick=${() => setParams({ limit: 200 })}>${t('more')}</button>`}`)}</${Part}>`
    : html`<${Part} live=${queues}>${(data) => {
      const rows = data.queues.filter((each) => each.scheduled > 0);
      return rows.length === 0 ? html`<${Empty} title=${t('scheduled.none')} text=${t('scheduled.none.text')} />`
        : html`<${Table} caption=${t('nav.scheduled')} rows=${rows} rowKey=${(row) => row.queue} columns=${[
          { name: 'queue', text: t('word.queue'), cell: (row) => html`<a href=${link('scheduled', { queue: row.queue })}>${row.queue}</a>` },
          { name: 'scheduled', text: t('count.scheduled'), number: true, cell: (row) => html`<${Count} value=${row.scheduled} complete=${row.complete} />` }]} />`;
    }}</${Part}>`}`;
}
