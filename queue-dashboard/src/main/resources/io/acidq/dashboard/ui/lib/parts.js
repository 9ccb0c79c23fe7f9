// @ts-check
/** The small parts that screens are made of. */
import { html, useEffect, useState } from './html.js';
import { t, tOr, number } from './i18n.js';
import { link } from './router.js';

const PATHS = {
  ok: 'M3 8.5 6.5 12 13 4.5',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 12v.2',
  problem: 'M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2L1.8 10.8V5.2zM8 4.8v4M8 11v.2',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  dot: 'M8 6a2 2 0 1 0 .01 0z',
  clock: 'M8 1.8a6.2 6.2 0 1 0 .01 0zM8 4.5V8l2.5 1.8',
  run: 'M5 3v10l8-5z',
};

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;

const LEVELS = { PROBLEM: 'problem', WARNING: 'warning', OK: 'ok' };

/** A level as icon and word: never by colour alone. */
export const Level = ({ level }) => html`<span class=${`tag ${LEVELS[level] || ''}`}><${Icon} name=${LEVELS[level] || 'dot'} />${tOr(`level.${level}`, level)}</span>`;

const STATES = { READY: ['', 'dot'], WAITING: ['', 'clock'], RUNNING: ['run', 'run'], DEAD: ['problem', 'problem'], DONE: ['ok', 'ok'], GONE: ['', 'dot'], CANCELLED: ['', 'dot'] };

export function State({ state }) {
  const [kind, icon] = STATES[state] || ['', 'dot'];
  return html`<span class=${`tag ${kind}`}><${Icon} name=${icon} />${tOr(`state.${state}`, state)}</span>`;
}

export const Paused = () => html`<span class="tag warning"><${Icon} name="pause" />${t('queue.paused')}</span>`;

/** A count, with a plus if it is only known to be at least that. */
export function Count({ value, complete = true, quietZero = false }) {
  if (value === undefined || value === null) {
    return html`<span class="quiet" title=${t('count.unknown')}>–</span>`;
  }
  const more = !complete && value >= 1000;
  return html`<span class=${value === 0 && quietZero ? 'quiet' : ''} title=${more ? t('count.more') : undefined}>${number(value)}${more ? '+' : ''}</span>`;
}

/** The uid of a message id, short enough for a table; the whole id is the title and the link. */
export function MessageLink({ id }) {
  const uid = String(id).slice(String(id).lastIndexOf('~') + 1);
  return html`<a class="mono" href=${link('message', { id })} title=${id}>${uid.length > 18 ? `${uid.slice(0, 8)}…${uid.slice(-8)}` : uid}</a>`;
}

export const QueueLink = ({ queue }) => html`<a href=${link('queue', { queue })}>${queue}</a>`;

export function Copy({ text, label }) {
  const [done, set] = useState(false);
  useEffect(() => {
    const timer = done ? setTimeout(() => set(false), 1500) : 0;
    return () => clearTimeout(timer);
  }, [done]);
  return html`<button class=${label ? '' : 'small'} onClick=${() => navigator.clipboard?.writeText(text).then(() => set(true))}>${done ? t('copied') : label || t('copy')}</button>`;
}

export const Facts = ({ facts }) => html`<dl class="facts">${facts.filter((each) => each && each[1] !== undefined && each[1] !== null && each[1] !== '')
  .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** What would be here, and how it gets there. */
export const Empty = ({ title, text, children }) => html`<div class="empty"><p class="empty-title">${title}</p>${text && html`<p>${text}</p>`}${children}</div>`;

/**
 * @param {object} props
 * @param {any} props.error
 * @param {(timeout?: number) => void} [props.onRetry] asks again, with a longer timeout if the user gives one
 */
export const Failure = ({ error, onRetry }) => html`<div class="failure" role="alert"><${Icon} name="problem" /><div><p>${error.message}</p>
  ${onRetry && html`<button class="small" onClick=${() => onRetry()}>${t('retry')}</button>`}
  ${onRetry && error.longerTimeout && html` <button class="small" onClick=${() => onRetry(error.longerTimeout)}>${t('retry.longer', { seconds: error.longerTimeout })}</button>`}</div></div>`;

function Skeleton({ rows }) {
  const [shown, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class=${shown ? 'skeleton shown' : 'skeleton'} aria-label=${t('loading')}>${Array.from({ length: rows }, (_, i) => html`<div key=${i} />`)}</div>`;
}

/** A part of a screen that asks for itself: loading, failed, or shown. What is there stays after a failure, greyed while the database is away. */
export function Part({ live, rows = 4, children }) {
  if (live.data) {
    return html`<div class=${live.error ? 'stale' : ''}>${live.error && (live.error.status !== 503 || live.error.longerTimeout) && html`<${Failure} error=${live.error} onRetry=${live.reload} />`}
      ${live.slow && html`<p class="quiet">${t('retry.slow')} <button class="small" onClick=${() => live.reload()}>${t('retry.again')}</button></p>`}${children(live.data)}</div>`;
  }
  return live.error ? html`<${Failure} error=${live.error} onRetry=${live.reload} />` : html`<${Skeleton} rows=${rows} />`;
}

export function Heading({ title, crumbs = [], children, note }) {
  useEffect(() => {
    document.title = `${title} · AcidQ`;
  }, [title]);
  return html`<div class="heading"><div>
    ${crumbs.length > 0 && html`<nav class="crumbs" aria-label=${t('breadcrumb')}>${crumbs.map(([text, href]) => html`<a key=${href} href=${href}>${text}</a>`)}</nav>`}
    <h1 tabindex="-1">${title}</h1>${note && html`<p class="note">${note}</p>`}</div>
    <div class="acts">${children}</div></div>`;
}

/** Chooses one of the queues, for screens that show one. */
export function QueueChoice({ queues, value, onChange }) {
  const names = queues.map((each) => each.queue);
  return html`<label class="field">${t('word.queue')}
    <select value=${value || ''} onChange=${(event) => onChange(event.currentTarget.value)}>
      ${!value && html`<option value="">${t('choose.queue')}</option>`}
      ${value && !names.includes(value) && html`<option value=${value}>${value}</option>`}
      ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
    </select></label>`;
}
