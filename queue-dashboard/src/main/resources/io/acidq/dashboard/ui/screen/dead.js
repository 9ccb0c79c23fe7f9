// @ts-check
/** Dead letters: the queues that have some, their causes, and the letters of one queue. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, useLive } from '../lib/api.js';
import { t, number } from '../lib/i18n.js';
import { link, setParams } from '../lib/router.js';
import { ActButton, BulkDialog } from '../lib/act.js';
import { Count, Empty, Failure, Heading, MessageLink, Part } from '../lib/parts.js';
import { Table } from '../lib/table.js';
import { Time } from '../lib/time.js';

export function Dead({ params }) {
  return params.queue ? html`<${Letters} key=${`${params.queue} ${params.cause}`} queue=${params.queue} cause=${params.cause} />` : html`<${QueuesWithLetters} />`;
}

function QueuesWithLetters() {
  const live = useLive('queues', { sort: 'dead', limit: 100 });
  return html`<${Heading} title=${t('nav.dead')} note=${t('dead.note')} />
    <${Part} live=${live}>${(data) => {
    const rows = data.queues.filter((each) => each.dead > 0);
    return rows.length === 0 ? html`<${Empty} title=${t('dead.none')} text=${t('dead.none.text')} />`
      : html`<${Table} caption=${t('nav.dead')} rows=${rows} rowKey=${(row) => row.queue} columns=${[
        { name: 'queue', text: t('word.queue'), cell: (row) => html`<a href=${link('dead', { queue: row.queue })}>${row.queue}</a>` },
        { name: 'dead', text: t('count.dead'), number: true, cell: (row) => html`<${Count} value=${row.dead} complete=${row.complete} />` },
        { name: 'waiting', text: t('count.waiting'), number: true, cell: (row) => html`<${Count} value=${row.waiting} complete=${row.complete} quietZero />` },
        { name: 'blocked', text: '', cell: (row) => row.waiting > 0 && html`<a href=${link('blocked', { queue: row.queue })}>${t('nav.blocked')}</a>` }]} />`;
  }}</${Part}>`;
}

function Letters({ queue, cause }) {
  const live = useLive('dead', { queue, cause });
  const [more, setMore] = useState(/** @type {any[]} */ ([]));
  const [after, setAfter] = useState('');
  const [error, setError] = useState(/** @type {any} */ (null));
  const [selected, select] = useState(new Set());
  const [act, setAct] = useState(/** @type {any} */ (null));
  const first = live.data?.deadLetters || [];
  const letters = [...first, ...more.filter((each) => !first.some((other) => other.id === each.id))];
  const next = more.length ? after : live.data?.after;
  useEffect(() => {
    const there = new Set(letters.map((each) => each.id));
    if ([...selected].some((id) => !there.has(id))) {
      select(new Set([...selected].filter((id) => there.has(id))));
    }
  });
  const load = async () => {
    try {
      const page = await get('dead', { queue, cause, after: next });
      setMore([...more, ...page.deadLetters]);
      setAfter(page.after || '');
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  const close = () => {
    setAct(null);
    select(new Set());
    setMore([]);
  };
  const ids = [...selected];
  const filter = cause ? { cause } : {};
  const begin = (action) => setAct(ids.length ? { action, selection: { ids }, what: t('bulk.selected', { n: ids.length, queue }) }
    : { action, selection: filter, what: cause ? t('bulk.cause', { queue, cause }) : t('bulk.queue', { queue }) });
  const label = (action) => (ids.length ? t(`bulk.${action}.act`, { count: ids.length }) : cause ? t(`bulk.${action}.cause`) : t(`bulk.${action}.all`));
  return html`<${Heading} title=${t('dead.of', { queue })} crumbs=${[[t('nav.dead'), link('dead')], [queue, link('queue', { queue })]]}>
      <${ActButton} permission="OPERATE" keyName="r" disabled=${letters.length ? '' : t('dead.nothing')} onClick=${() => begin('replay')}>${label('replay')}</${ActButton}>
      <${ActButton} permission="DESTROY" danger disabled=${letters.length ? '' : t('dead.nothing')} onClick=${() => begin('discard')}>${label('discard')}</${ActButton}></${Heading}>
    ${cause && html`<p class="filter">${t('dead.cause', { cause })} <button class="small" onClick=${() => setParams({ cause: '' }, false)}>${t('dead.allCauses')}</button></p>`}
    <${Part} live=${live} rows=${8}>${() => (letters.length === 0
    ? html`<${Empty} title=${cause ? t('dead.noneOfCause') : t('dead.noneIn', { queue })} text=${t('dead.none.text')} />`
    : html`${!cause && html`<${Causes} letters=${letters} queue=${queue} all=${!next} onAct=${setAct} />`}
      <section><h2>${t('dead.letters')}</h2><${LetterTable} letters=${letters} selected=${selected} onSelect=${select} />
      ${error && html`<${Failure} error=${error} onRetry=${load} />`}${next && html`<button onClick=${load}>${t('more')}</button>`}</section>`)}</${Part}>
    ${act && html`<${BulkDialog} ...${act} queue=${queue} onClose=${close} />`}`;
}

/** The letters that are shown, by cause: the frequent ones first. */
function Causes({ letters, queue, all, onAct }) {
  const groups = new Map();
  for (const letter of letters) {
    const group = groups.get(letter.cause) || { cause: letter.cause, letters: 0, first: letter.diedAt, error: letter.error };
    groups.set(letter.cause, { ...group, letters: group.letters + 1, last: letter.diedAt, error: letter.error });
  }
  const rows = [...groups.values()].sort((a, b) => b.letters - a.letters);
  return html`<section><h2>${t('dead.causes')}</h2>${!all && html`<p class="quiet">${t('dead.causes.of', { n: letters.length })}</p>`}
    <${Table} caption=${t('dead.causes')} rows=${rows} rowKey=${(row) => row.cause} columns=${[
  { name: 'letters', text: t('dead.count'), number: true, cell: (row) => html`${number(row.letters)}${all ? '' : '+'}` },
  { name: 'error', text: t('word.error'), wide: true, cell: (row) => html`<a class="clip error-text" href=${link('dead', { queue, cause: row.cause })} title=${row.error}>${firstLine(row.error)}</a>` },
  { name: 'first', text: t('dead.first'), cell: (row) => html`<${Time} at=${row.first} />` },
  { name: 'last', text: t('dead.last'), cell: (row) => html`<${Time} at=${row.last} />` },
  { name: 'act', text: '', number: true, cell: (row) => html`<${ActButton} permission="OPERATE" small onClick=${() => onAct({ action: 'replay', selection: { cause: row.cause }, what: t('bulk.cause', { queue, cause: row.cause }) })}>${t('bulk.replay')}</${ActButton}>` },
]} /></section>`;
}

const LetterTable = ({ letters, selected, onSelect }) => html`<${Table} caption=${t('dead.letters')} rows=${letters} rowKey=${(row) => row.id} selected=${selected} onSelect=${onSelect} columns=${[
  { name: 'id', text: t('word.message'), cell: (row) => html`<${MessageLink} id=${row.id} />` },
  { name: 'died', text: t('message.died'), cell: (row) => html`<${Time} at=${row.diedAt} />` },
  { name: 'error', text: t('word.error'), wide: true, cell: (row) => html`<span class="clip error-text" title=${row.error}>${firstLine(row.error)}</span>` },
  { name: 'type', text: t('message.type'), wide: true, cell: (row) => html`<span class="clip" title=${row.type}>${row.type}</span>` },
  { name: 'key', text: t('message.key'), wide: true, optional: (row) => row.key, cell: (row) => html`<span class="clip mono" title=${row.key}>${row.key || ''}</span>` },
  { name: 'attempts', text: t('message.attempts'), number: true, cell: (row) => number(row.attempts) },
  { name: 'crashes', text: t('message.crashes'), number: true, cell: (row) => html`<${Count} value=${row.crashes} quietZero />` }]} />`;

const firstLine = (text) => String(text).split('\n', 1)[0] || '–';
