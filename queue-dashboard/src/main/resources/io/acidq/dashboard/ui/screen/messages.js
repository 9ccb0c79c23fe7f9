// @ts-check
/** The messages of a queue, and the search for one. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { More, usePages } from '../lib/pages.js';
import { link, setParams } from '../lib/router.js';
import { Chosen, Search } from '../lib/search.js';
import { Count, Empty, Heading, MessageLink, Part, QueueChoice, State } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

const STATES = ['', 'READY', 'WAITING', 'RUNNING', 'DEAD', 'DONE'];

export function Messages({ params }) {
  const { queue, state, type, orderingKey } = params;
  const queues = useLive('queues', { limit: 1000 }, { once: true });
  const pages = usePages(queue ? 'messages' : null, { queue, state, type, orderingKey }, 'messages');
  const isFiltered = Boolean(type || orderingKey);
  return html`<${Heading} title=${t('nav.messages')} crumbs=${queue ? [[queue, link('queue', { queue })]] : []} />
    <${Search} words=${['key', 'type', 'orderingKey', 'state', 'queue']} keyOpens />
    <div class="filters"><${QueueChoice} queues=${queues.data?.queues || []} value=${queue} onChange=${(value) => setParams({ queue: value }, false)} />
      <label class="field">${t('word.state')}<select value=${state || ''} onChange=${(event) => setParams({ state: event.currentTarget.value })}>
        ${STATES.map((each) => html`<option key=${each} value=${each}>${each ? t(`state.${each}`) : t('all')}</option>`)}</select></label></div>
    <${Chosen} params=${{ type, orderingKey }} />
    ${!queue ? html`<${Empty} title=${t('messages.choose')} text=${t('messages.choose.text')} />`
    : html`<${Part} live=${pages.live} rows=${8}>${() => html`${pages.rows.length === 0
      ? html`<${Empty} title=${isFiltered ? t('messages.noneMatch') : t(state ? 'messages.none.state' : 'messages.none', { state: state ? t(`state.${state}`) : '' })} text=${t('messages.none.text')} />`
      : html`<${MessageTable} messages=${pages.rows} />`}<${More} pages=${pages} />`}</${Part}>`}`;
}

export const MessageTable = ({ messages, dueFirst = false }) => {
  const due = { name: 'due', text: t('message.due'), cell: (row) => html`<${Time} at=${row.dueAt || row.doneAt} />` };
  return html`<${Table} caption=${t('nav.messages')} rows=${messages} rowKey=${(row) => row.id} columns=${[
    { name: 'id', text: t('word.message'), cell: (row) => html`<${MessageLink} id=${row.id} />` },
    ...(dueFirst ? [due] : [{ name: 'state', text: t('word.state'), cell: (row) => html`<${State} state=${row.state} />${row.priority !== 'NORMAL' ? html` <span class="tag">${t(`priority.${row.priority}`)}</span>` : ''}` }]),
    { name: 'type', text: t('message.type'), wide: true, cell: (row) => html`<span class="clip" title=${row.type}>${row.type}</span>` },
    { name: 'key', text: t('message.key'), wide: true, optional: (row) => row.key, cell: (row) => html`<span class="clip mono" title=${row.key}>${row.key || ''}</span>` },
    { name: 'orderingKey', text: t('message.orderingKey'), wide: true, optional: (row) => row.orderingKey, cell: (row) => html`<span class="clip mono" title=${row.orderingKey}>${row.orderingKey || ''}</span>` },
    { name: 'attempts', text: t('message.attempts'), number: true, cell: (row) => html`<${Count} value=${row.attempts} quietZero />` },
    { name: 'enqueued', text: t('message.enqueued'), cell: (row) => html`<${Time} at=${row.enqueuedAt} />` },
    ...(dueFirst ? [] : [due])]} />`;
};
