// @ts-check
/** Messages that wait for their due time, soonest first. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { More, usePages } from '../lib/pages.js';
import { link, setParams } from '../lib/router.js';
import { Count, Empty, Heading, Icon, Part, QueueChoice } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { absolute, Time } from '../lib/time.js';
import { MessageTable } from './messages.js';

export function Scheduled({ params }) {
  const { queue } = params;
  const queues = useLive('queues', { sort: 'scheduled', limit: 100 });
  const pages = usePages(queue ? 'scheduled' : null, { queue }, 'messages');
  return html`<${Heading} title=${t('nav.scheduled')} note=${t('scheduled.note')} crumbs=${queue ? [[queue, link('queue', { queue })]] : []} />
    <div class="filters"><${QueueChoice} queues=${queues.data?.queues || []} value=${queue} onChange=${(value) => setParams({ queue: value }, false)} /></div>
    ${queue && html`<${Histogram} queue=${queue} range=${params.range || 'DAY'} />`}
    ${queue ? html`<${Part} live=${pages.live} rows=${8}>${() => (pages.rows.length === 0 ? html`<${Empty} title=${t('scheduled.noneIn', { queue })} text=${t('scheduled.none.text')} />`
    : html`<${MessageTable} messages=${pages.rows} dueFirst /><${More} pages=${pages} />`)}</${Part}>`
    : html`<${Part} live=${queues}>${(data) => {
      const rows = data.queues.filter((each) => each.scheduled > 0);
      return rows.length === 0 ? html`<${Empty} title=${t('scheduled.none')} text=${t('scheduled.none.text')} />`
        : html`<${Table} caption=${t('nav.scheduled')} rows=${rows} rowKey=${(row) => row.queue} columns=${[
          { name: 'queue', text: t('word.queue'), cell: (row) => html`<a href=${link('scheduled', { queue: row.queue })}>${row.queue}</a>` },
          { name: 'scheduled', text: t('count.scheduled'), number: true, cell: (row) => html`<${Count} value=${row.scheduled} complete=${row.complete} />` }]} />`;
    }}</${Part}>`}`;
}

const RANGES = ['HOUR', 'DAY', 'MONTH'];
const HEIGHT = 80;
const WIDTH = 10;

/** How many messages are due when, as bars and as a table. */
function Histogram({ queue, range }) {
  const live = useLive('scheduled/histogram', { queue, range });
  return html`<section><h2>${t('scheduled.histogram')}</h2><div class="filters"><label class="field">${t('scheduled.range')}<select value=${range} onChange=${(event) => setParams({ range: event.currentTarget.value })}>
      ${RANGES.map((each) => html`<option key=${each} value=${each}>${t(`scheduled.range.${each}`)}</option>`)}</select></label></div>
    <${Part} live=${live}>${(data) => {
    const most = Math.max(1, ...data.slots.map((slot) => slot.messages));
    const all = data.slots.reduce((sum, slot) => sum + slot.messages, 0);
    const complete = data.slots.every((slot) => slot.complete);
    return html`${data.overdue.messages > 0 && html`<p class="callout warning"><${Icon} name="clock" /><span>${t('scheduled.overdue', { n: data.overdue.messages })}</span></p>`}
      <svg class="bars" preserveAspectRatio="none" viewBox=${`0 0 ${data.slots.length * WIDTH} ${HEIGHT}`} role="img" aria-label=${t('scheduled.sum', { n: all, most })}>${data.slots.map((slot, i) => {
    const height = slot.messages === 0 ? 0 : Math.max(2, (slot.messages / most) * HEIGHT);
    return html`<rect key=${slot.at} x=${i * WIDTH + 1} y=${HEIGHT - height} width=${WIDTH - 2} height=${height}><title>${`${absolute(slot.at)}: ${slot.messages}${slot.complete ? '' : '+'}`}</title></rect>`;
  })}</svg>
      <p class="quiet">${t('scheduled.sum', { n: all, most })}${complete ? '' : ` · ${t('count.more')}`}</p>
      <details><summary>${t('scheduled.table')}</summary><${Table} caption=${t('scheduled.histogram')} rows=${data.slots.filter((slot) => slot.messages > 0)} rowKey=${(row) => row.at} columns=${[
        { name: 'at', text: t('message.due'), cell: (row) => html`<${Time} at=${row.at} full />` },
        { name: 'messages', text: t('nav.messages'), number: true, cell: (row) => html`<${Count} value=${row.messages} complete=${row.complete} />` }]} /></details>`;
  }}</${Part}></section>`;
}
