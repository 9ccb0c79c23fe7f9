// @ts-check
/** One message: why it does not run, its facts, its content, and what operators did to it. */
import { html, useEffect, useState } from '../lib/html.js';
import { address, useLive } from '../lib/api.js';
import { t, tOr, number } from '../lib/i18n.js';
import { link } from '../lib/router.js';
import { ActButton, ActDialog, BulkDialog, may } from '../lib/act.js';
import { EditDialog } from '../lib/edit.js';
import { Copy, Empty, Facts, Failure, Heading, Icon, MessageLink, Part, QueueLink, State } from '../lib/parts.js';
import { Time } from '../lib/time.js';
import { AuditTable } from './audit.js';

const CALM = ['DONE', 'RUNNING', 'READY', 'UNSTARTED', 'CLAIMED', 'NOT_DUE', 'GONE'];

export function Message({ params }) {
  const id = params.id || '';
  const queue = id.split('~')[0];
  const live = useLive(id ? 'message' : null, { id });
  const content = useLive(id && may('CONTENT') ? 'message/content' : null, { id }, { once: true });
  const timeline = useLive(id ? 'message/timeline' : null, { id });
  const audit = useLive(id ? 'audit' : null, { id });
  const [act, setAct] = useState('');
  const [kept, keep] = useState(/** @type {any} */ (null));
  useEffect(() => {
    keep(null);
  }, [id]);
  useEffect(() => {
    if (live.data) {
      keep(live.data);
    }
  }, [live.data]);
  const gone = live.error?.status === 404 && kept;
  const shown = gone ? { ...live, data: kept, error: null } : live;
  const state = gone || !live.data ? '' : live.data.state;
  const death = gone || !live.data ? null : state === 'DEAD' ? live.data.dueAt : '';
  const shownDeath = content.data && (content.data.diedAt || '');
  useEffect(() => {
    if (death !== null && shownDeath !== null && death !== shownDeath) {
      content.reload(); // another content may be stored by now
    }
  }, [death, shownDeath]);
  return html`<${Heading} title=${t('word.message')} crumbs=${queue ? [[t('nav.queues'), link('queues')], [queue, link('queue', { queue })]] : []}>
      ${state === 'DEAD' && html`<${ActButton} permission="OPERATE" act="REPLAY" keyName="r" onClick=${() => setAct('replay')}>${t('bulk.replay')}</${ActButton}>`}
      ${state === 'DEAD' && html`<${ActButton} permission="DESTROY" act="EDIT" disabled=${notEditable(content.data)} onClick=${() => setAct('edit')}>${t('edit')}</${ActButton}>`}
      ${state === 'DEAD' && html`<${ActButton} permission="DESTROY" act="DISCARD" danger onClick=${() => setAct('discard')}>${t('bulk.discard')}</${ActButton}>`}
      ${['READY', 'WAITING', 'RUNNING'].includes(state) && html`<${ActButton} permission="OPERATE" act="CANCEL" onClick=${() => setAct('cancel')}>${t('message.cancel')}</${ActButton}>`}
    </${Heading}>
    <p class="id"><code>${id}</code> <${Copy} text=${id} /></p>
    ${gone && html`<div class="callout"><${Icon} name="dot" /><p>${t('message.gone')}</p></div>`}
    ${!id ? html`<${Empty} title=${t('message.which')} />` : html`<${Part} live=${shown} rows=${8}>${(data) => html`<${Why} why=${data.why} error=${data.error} /><${MessageFacts} data=${data} queue=${queue} />`}</${Part}>`}
    ${id && html`<section><h2>${t('message.content')}</h2>${may('CONTENT') ? html`<${Part} live=${content}>${(data) => html`<${Content} data=${data} />`}</${Part}>` : html`<p class="quiet">${t('message.content.no')}</p>`}</section>
    ${id && html`<section><h2>${t('timeline')}</h2><${Part} live=${timeline}>${(data) => html`<${Timeline} events=${data.events} />${data.notRecorded > 0 && html`<p class="quiet">${t('timeline.notRecorded', { n: data.notRecorded })}</p>`}`}</${Part}></section>`}
    <section><h2>${t('message.actions')}</h2>${audit.data && audit.data.entries.length > 0 ? html`<${AuditTable} entries=${audit.data.entries} />`
    : audit.error && !audit.data ? html`<${Failure} error=${audit.error} onRetry=${audit.reload} />` : html`<p class="quiet">${t('message.actions.none')}</p>`}</section>`}
    ${(act === 'replay' || act === 'discard') && html`<${BulkDialog} action=${act} queue=${queue} selection=${{ ids: [id] }} what=${t('bulk.letter', { id })} onClose=${() => setAct('')} />`}
    ${act === 'edit' && html`<${EditDialog} id=${id} queue=${queue} content=${content.data} onClose=${() => setAct('')} />`}
    ${act === 'cancel' && html`<${ActDialog} title=${t('message.cancel.title')} text=${t('message.cancel.text')} verb=${t('message.cancel')} path="message/cancel" queue=${queue}
      fields=${(reason) => ({ id, reason })} done=${(answer) => t(`message.cancel.${answer.result}`)} onClose=${() => setAct('')} />`}`;
}

/** Why the content cannot be edited here; empty if it can. */
function notEditable(content) {
  if (!content || content.text === undefined || !content.diedAt) {
    return t('edit.noText');
  }
  if (may('UNMASKED')) {
    return '';
  }
  return content.truncated ? t('edit.truncated') : content.masked?.length ? t('edit.masked', { names: content.masked.join(', ') }) : '';
}

function Why({ why, error }) {
  const kind = why.reason === 'DONE' ? 'ok' : CALM.includes(why.reason) ? '' : why.reason === 'DEAD' ? 'problem' : 'warning';
  return html`<section class=${`why callout ${kind}`}><${Icon} name=${kind || 'clock'} /><div>
    <h2>${tOr(`why.${why.reason}`, why.reason)}</h2><p>${why.text}</p>
    ${why.closedBy && html`<p>${t('why.closedBy')} <${MessageLink} id=${why.closedBy} /></p>`}
    ${why.before > 0 && html`<p>${t('why.before', { n: why.before })}</p>`}
    ${why.node && html`<p>${t('why.node', { node: why.node.node, host: why.node.host })} ${why.node.alive ? '' : t('why.node.dead')}</p>`}
    ${(error || why.error) && html`<pre class="error-text" tabindex="0">${error || why.error}</pre>`}</div></section>`;
}

const EVENTS = { FAILED: 'warning', CRASHED: 'problem', DEAD: 'problem', DONE: 'ok', DUE: 'clock' };

const Timeline = ({ events }) => html`<ol class="timeline">${events.map((event, i) => html`<li key=${`${event.at} ${i}`}><${Icon} name=${EVENTS[event.kind] || 'dot'} />
  <div><b>${t(`timeline.${event.kind}`)}</b>${event.action ? html` <b>${event.action}</b> ${event.actor}` : ''} <${Time} at=${event.at} full />
    ${event.host !== undefined && html`<p>${t('why.node', { node: event.node, host: event.host })}</p>`}
    ${event.kind === 'ACTION' && event.text && html`<p class="quiet">${event.text}</p>`}
    ${event.attempts > 0 && html`<p class="quiet">${t('timeline.attempts', { n: event.attempts })}</p>`}
    ${event.error && html`<p class="clip error-text" title=${event.error}>${event.error.split('\n', 1)[0]}</p>`}</div></li>`)}</ol>`;

const MessageFacts = ({ data, queue }) => html`<section class="card"><${Facts} facts=${[
  [t('word.state'), html`<${State} state=${data.state} />`], [t('word.queue'), html`<${QueueLink} queue=${queue} />`], [t('message.type'), data.type],
  [t('message.key'), data.key && html`<code>${data.key}</code>`], [t('message.orderingKey'), data.orderingKey && html`<code>${data.orderingKey}</code>`],
  [t('message.cause'), data.cause && html`<a class="mono" href=${link('dead', { queue, cause: data.cause })}>${data.cause}</a>`], [t('message.priority'), t(`priority.${data.priority}`)], [t('message.attempts'), number(data.attempts)], [t('message.crashes'), number(data.crashes)],
  [t('message.size'), t('bytes', { value: data.size })], [t('word.node'), data.node],
  [t('message.enqueued'), html`<${Time} at=${data.enqueuedAt} full />`], [t(data.state === 'DEAD' ? 'message.deadSince' : 'message.due'), data.dueAt && html`<${Time} at=${data.dueAt} full />`],
  [t('message.expires'), data.expiresAt && html`<${Time} at=${data.expiresAt} full />`],
  [t('message.done'), data.doneAt && html`<${Time} at=${data.doneAt} full />`]]} /></section>`;

function Content({ data }) {
  const headers = Object.entries(data.headers || {});
  return html`<div class="card">${data.problem && html`<p class="error">${data.problem}</p>`}
    ${data.masked?.length > 0 && html`<p class="quiet">${t('message.masked', { names: data.masked.join(', ') })}</p>`}
    ${data.text !== undefined && html`<pre class="payload" tabindex="0">${data.text}</pre>`}
    ${data.base64 !== undefined && html`<p class="quiet">${t('message.binary')}</p><pre class="payload" tabindex="0">${data.base64}</pre>`}
    <p class="quiet">${data.mediaType || data.type} · ${t('bytes', { value: data.size })}${data.truncated ? ` · ${t('message.truncated')}` : ''}
      ${may('UNMASKED') && html` · <a href=${address('message/bytes', { id: data.id })} download="payload.bin">${t('message.download')}</a>`}</p>
    ${headers.length > 0 && html`<h3>${t('message.headers')}</h3><dl class="facts">${headers.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>`}</div>`;
}
