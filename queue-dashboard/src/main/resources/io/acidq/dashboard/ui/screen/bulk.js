// @ts-check
/** A bulk action on dead letters: how far it is, and its stop. */
import { html, useState } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { t, tOr } from '../lib/i18n.js';
import { link } from '../lib/router.js';
import { ActButton, ActDialog, BulkDialog } from '../lib/act.js';
import { Count, Empty, Facts, Heading, Icon, Part, QueueLink } from '../lib/parts.js';
import { Time } from '../lib/time.js';

const KINDS = { DONE: 'ok', FAILED: 'problem', STOPPED: 'warning' };
const ICONS = { DONE: 'ok', FAILED: 'problem', STOPPED: 'warning', RUNNING: 'run', STOPPING: 'clock' };
const done = (bulk) => bulk.changed + bulk.lost + bulk.keyTaken;
const wanted = (bulk) => Math.min(bulk.matched, bulk.limit ?? bulk.matched);

const BulkState = ({ bulk }) => html`<span class=${`tag ${KINDS[bulk.state] || ''}`}><${Icon} name=${ICONS[bulk.state] || 'dot'} />${tOr(`bulk.state.${bulk.state}`, bulk.state)}</span>`;

export function Bulk({ params }) {
  const { id } = params;
  const live = useLive(id ? 'bulk' : null, { id });
  const [act, setAct] = useState('');
  const bulk = live.data;
  const running = bulk?.state === 'RUNNING';
  const left = bulk?.selection && !running && bulk.state !== 'STOPPING' && bulk.state !== 'DONE' ? Math.max(0, wanted(bulk) - done(bulk)) : 0;
  return html`<${Heading} title=${bulk ? t('bulk.of', { action: t(`bulk.${bulk.action}`), queue: bulk.queue }) : t('bulk.single')} crumbs=${[[t('nav.dead'), link('dead')], ...(bulk ? [[bulk.queue, link('dead', { queue: bulk.queue })]] : [])]}>
      ${running && html`<${ActButton} permission="OPERATE" danger onClick=${() => setAct('stop')}>${t('bulk.stop')}</${ActButton}>`}
      ${left > 0 && html`<${ActButton} permission=${bulk.action === 'discard' ? 'DESTROY' : 'OPERATE'} onClick=${() => setAct('continue')}>${t('bulk.continue')}</${ActButton}>`}</${Heading}>
    ${!id ? html`<${Empty} title=${t('bulk.which')} />` : html`<${Part} live=${live}>${(data) => html`<${Progress} bulk=${data} />`}</${Part}>`}
    ${act === 'stop' && html`<${ActDialog} title=${t('bulk.stop.title')} text=${t('bulk.stop.text')} verb=${t('bulk.stop')} path="bulk/stop" queue=${bulk.queue}
      fields=${(reason) => ({ id, reason })} done=${(answer) => t(answer.changed ? 'bulk.stop.done' : 'bulk.stop.not')} onClose=${() => setAct('')} />`}
    ${act === 'continue' && html`<${BulkDialog} action=${bulk.action} queue=${bulk.queue} selection=${bulk.selection} most=${left} atRate=${bulk.rate} what=${t('bulk.filter', { queue: bulk.queue, filter: Object.entries(bulk.selection).map((each) => each.join(':')).join(' ') })} onClose=${() => setAct('')} />`}`;
}

function Progress({ bulk }) {
  const rest = bulk.sinceThen > 0;
  return html`<section class="card"><p><${BulkState} bulk=${bulk} /> ${bulk.error && html`<span class="error-text">${bulk.error}</span>`}</p>
    <label class="progress">${t('bulk.progress', { done: done(bulk), all: wanted(bulk) })}<progress max=${Math.max(1, wanted(bulk))} value=${done(bulk)} /></label>
    ${rest && html`<p class="quiet">${t('bulk.since', { n: bulk.sinceThen })}</p>`}
    ${bulk.state === 'RECORDED' && html`<p class="quiet">${t('bulk.recorded')}</p>`}
    <${Facts} facts=${[
    [t('word.queue'), html`<${QueueLink} queue=${bulk.queue} />`], [t(`bulk.${bulk.action}.did`), html`<${Count} value=${bulk.changed} />`],
    [t('bulk.lostTo'), html`<${Count} value=${bulk.lost} />`], [t('bulk.keyTaken'), html`<${Count} value=${bulk.keyTaken} />`],
    [t('bulk.matched'), html`<${Count} value=${bulk.matched} />`], [t('bulk.limit'), bulk.limit && t('bulk.upTo', { n: bulk.limit })],
    [t('bulk.rate'), bulk.rate ? t('bulk.perSecond', { n: bulk.rate }) : undefined], [t('audit.actor'), bulk.actor], [t('audit.reason'), bulk.reason],
    [t('bulk.filterOf'), bulk.filter], [t('bulk.started'), html`<${Time} at=${bulk.startedAt} full />`],
    [t('nav.audit'), bulk.audit && html`<a href=${link('audit', { bulk: bulk.audit })}>${t('audit.bulk')}</a>`]]} /></section>`;
}

/** A line for each bulk action that runs in this process, for other screens. */
export function RunningBulks({ queue = '' }) {
  const live = useLive('bulks');
  const running = (live.data?.bulks || []).filter((bulk) => ['RUNNING', 'STOPPING'].includes(bulk.state) && (!queue || bulk.queue === queue));
  return html`${running.map((bulk) => html`<p key=${bulk.id} class="callout"><${Icon} name="run" /><span><a href=${link('bulk', { id: bulk.id })}>${t('bulk.of', { action: t(`bulk.${bulk.action}`), queue: bulk.queue })}</a>:
    ${t('bulk.progress', { done: done(bulk), all: wanted(bulk) })}</span></p>`)}`;
}
