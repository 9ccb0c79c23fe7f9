// @ts-check
/** Times by the clock of the database. */
import { html } from './html.js';
import { currentLanguage, t, number } from './i18n.js';

let offset = 0;

/** Notes the database's time in an answer. */
export function learnClock(now) {
  if (now) {
    offset = Date.parse(now) - Date.now();
  }
}

export const now = () => Date.now() + offset;

/** Each unit with its seconds, and from how many seconds on it is used. One day is given in hours: it may end tomorrow or the day after. */
const UNITS = [['day', 86400, 2 * 86400], ['hour', 3600, 3600], ['minute', 60, 60], ['second', 1, 0]];

/** A time relative to now: “3 minutes ago”. */
export function relative(iso) {
  const seconds = Math.round((Date.parse(iso) - now()) / 1000);
  const [unit, size] = UNITS.find(([, , from]) => Math.abs(seconds) >= from) || UNITS[3];
  return new Intl.RelativeTimeFormat(currentLanguage(), { numeric: seconds === 0 ? 'auto' : 'always' }).format(Math.trunc(seconds / size), /** @type {any} */ (unit));
}

export function absolute(iso) {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso));
}

/** A duration in its two largest units: “3 h 20 min”. */
export function duration(seconds) {
  if (seconds < 60) {
    return t('unit.s', { value: number(Math.max(0, Math.round(seconds))) });
  }
  const steps = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const at = steps.findIndex(([size]) => seconds >= size);
  const [size, unit] = steps[at];
  const rest = Math.floor((seconds % size) / steps[at + 1][0]);
  const first = t(`unit.${unit}`, { value: number(Math.floor(seconds / size)) });
  return rest ? `${first} ${t(`unit.${steps[at + 1][1]}`, { value: rest })}` : first;
}

/** A time: relative, with the absolute UTC one as title; or absolute with the relative one behind it. */
export function Time({ at, full = false }) {
  if (!at) {
    return html`<span class="quiet">–</span>`;
  }
  return full
    ? html`<time datetime=${at} title=${at}>${absolute(at)} <span class="quiet">(${relative(at)})</span></time>`
    : html`<time datetime=${at} title=${at}>${relative(at)}</time>`;
}
