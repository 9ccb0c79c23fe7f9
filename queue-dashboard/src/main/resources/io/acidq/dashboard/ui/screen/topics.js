// @ts-check
/** The subscriptions of topics. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { setParams } from '../lib/router.js';
import { ActButton, ActDialog } from '../lib/act.js';
import { Empty, Heading, Part, QueueLink } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

const REMAINING = ['KEEP', 'DRAIN', 'DISCARD'];

export function Topics({ params }) {
  const live = useLive('topics', { topic: params.topic });
  const [ending, end] = useState(/** @type {any} */ (null));
  const [remaining, setRemaining] = useState('KEEP');
  return html`<${Heading} title=${t('nav.topics')} note=${t('topics.note')} />
    ${params.topic && html`<p class="filter">${params.topic} <button class="small" onClick=${() => setParams({ topic: '' }, false)}>${t('topics.all')}</button></p>`}
    <${Part} live=${live}>${(data) => (data.subscriptions.length === 0 ? html`<${Empty} title=${t('topics.none')} text=${t('topics.none.text')} />`
    : html`<${Table} caption=${t('nav.topics')} rows=${data.subscriptions} rowKey=${(row) => `${row.topic}/${row.subscription}`} columns=${[
      { name: 'topic', text: t('word.topic'), cell: (row) => row.topic },
      { name: 'subscription', text: t('topics.subscription'), cell: (row) => html`${row.subscription} ${row.draining && html`<span class="tag warning">${t('topics.draining')}</span>`}` },
      { name: 'queue', text: t('word.queue'), cell: (row) => html`<${QueueLink} queue=${row.queue} />` },
      { name: 'filter', text: t('topics.filter'), wide: true, cell: (row) => (row.filter ? html`<code>${row.filter}</code>` : html`<span class="quiet">${t('topics.noFilter')}</span>`) },
      { name: 'since', text: t('topics.since'), cell: (row) => html`<${Time} at=${row.since} />` },
      { name: 'act', text: '', number: true, cell: (row) => html`<${ActButton} permission="DESTROY" act="UNSUBSCRIBE" danger small onClick=${() => end(row)}>${t('topics.unsubscribe')}</${ActButton}>` }]} />`)}</${Part}>
    ${ending && html`<${ActDialog} title=${t('topics.unsubscribe.title', ending)} text=${t('topics.unsubscribe.text')} verb=${t('topics.unsubscribe')} danger confirm=${ending.subscription} path="topics/unsubscribe"
      fields=${(reason) => ({ topic: ending.topic, subscription: ending.subscription, remaining, reason })} done=${(answer) => t(answer.changed ? 'topics.unsubscribe.done' : 'action.nothing', answer)} onClose=${() => end(null)}>
      <label class="field">${t('topics.remaining')}<select value=${remaining} onChange=${(event) => setRemaining(event.currentTarget.value)}>${REMAINING.map((each) => html`<option key=${each} value=${each}>${t(`topics.${each}`)}</option>`)}</select></label></${ActDialog}>`}`;
}
