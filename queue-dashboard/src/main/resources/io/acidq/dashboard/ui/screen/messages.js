// @ts-check
/** The messages of a queue, and the search for one. */
import { html, useState } from '../lib/html.js';
import { get, useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { go, link, setParams } from '../lib/router.js';
import { Count, Empty, Heading, MessageLink, Part, QueueChoice, State } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

const STATES = ['', 'READY', 'WAITING', 'RUNNING', 'DEAD'];
const PAGE = 50;
const MOST = 200;

export function Messages({ params }) {
  const { queue, state } = params;
  const limit = Number(params.limit) || PAGE;
  const queues = useLive('queues', { limit: 1000 }, { once: true });
  const live = useLive(queue ? 'messages' : null, { queue, state, limit });
  return html`<${Heading} title=${t('nav.messages')} crumbs=${queue ? [[queue, link('queue', { queue })]] : []} />
    <${Search} queue=${queue} />
    <div class="filters"><${QueueChoice} queues=${queues.data?.queues || []} value=${queue} onChange=${(value) => setParams({ queue: value, limit: '' }, false)} />
      <label class="field">${t('word.state')}<select value=${state || ''} onChange=${(event) => setParams({ state: event.currentTarget.value, limit: '' })}>
        ${STATES.map((each) => html`<option key=${each} value=${each}>${each ? t(`state.${each}`) : t('all')}</option>`)}</select></label></div>
    ${!queue ? html`<${Empty} title=${t('messages.choose')} text=${t('messages.choose.text')} />`
    : html`<${Part} live=${live} rows=${8}>${(data) => (data.messages.length === 0
      ? html`<${Empty} title=${t(state ? 'messages.none.state' : 'messages.none', { state: state ? t(`state.${state}`) : '' })} text=${t('messages.none.text')} />`
      : html`<${MessageTable} messages=${data.messages} />
        ${!data.complete && limit < MOST && html`<button onClick=${() => setParams({ limit: MOST })}>${t('more')}</button>`}
        ${!data.complete && limit >= MOST && html`<p class="quiet">${t('messages.cut')}</p>`}`)}</${Part}>`}`;
}

function Search({ queue }) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const search = async (event) => {
    event.preventDefault();
    setError('');
    const typed = text.trim();
    const [, word, quoted, plain] = typed.match(/^([a-z]+):(?:"([^"]*)"|(.*))$/) || [];
    const value = quoted ?? plain;
    try {
      if (!word && typed.split('~').length === 3) {
        go(link('message', { id: typed }));
      } else if (word === 'state' && STATES.includes(value.toUpperCase())) {
        setParams({ state: value.toUpperCase() });
      } else if (word === 'queue') {
        setParams({ queue: value }, false);
      } else if (word === 'key' && queue) {
        go(link('message', { id: (await get('message/by-key', { queue, key: value })).id }));
      } else {
        setError(t(word === 'key' ? 'search.keyNeedsQueue' : 'search.words'));
      }
    } catch (failure) {
      setError(failure.message);
    }
  };
  return html`<form class="search" role="search" onSubmit=${search}><label class="field"><span class="hidden">${t('search')}</span>
    <input type="search" value=${text} placeholder=${t('search.hint')} onInput=${(event) => setText(event.currentTarget.value)} /></label><button>${t('search')}</button>
    ${error && html`<p class="error" role="alert">${error}</p>`}</form>`;
}

export const MessageTable = ({ messages, dueFirst = false }) => {
  const due = { name: 'due', text: t('message.due'), cell: (row) => html`<${Time} at=${row.dueAt} />` };
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
