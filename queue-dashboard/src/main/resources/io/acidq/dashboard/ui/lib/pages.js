// @ts-check
/** Lists that continue: the first page is asked again and again, the others are added when the user wants them. */
import { html, useEffect, useState } from './html.js';
import { get, useLive } from './api.js';
import { t } from './i18n.js';
import { Failure } from './parts.js';

/**
 * @param {string | null} path
 * @param {object} params
 * @param {string} name the field with the rows
 * @param {string} id the field that identifies a row
 */
export function usePages(path, params, name, id = 'id') {
  const live = useLive(path, params);
  const [more, setMore] = useState(/** @type {any[]} */ ([]));
  const [last, setLast] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const reset = () => {
    setMore([]);
    setLast(null);
    setError(null);
  };
  useEffect(reset, [JSON.stringify([path, params])]);
  const first = live.data?.[name] || [];
  const known = new Set(first.map((row) => row[id]));
  const rows = [...first, ...more.filter((row) => !known.has(row[id]))];
  const answer = last || live.data;
  const load = async (timeout = 0) => {
    try {
      const page = await get(/** @type {string} */ (path), { ...params, after: answer.after, timeout: timeout || undefined });
      setMore([...rows, ...page[name]]); // also those of the first page, which newer rows move out of it
      setLast(page);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  return { live, rows, answer, load, reset, error };
}

/** The button that continues a list, and how far it was scanned. */
export function More({ pages }) {
  const { answer, rows, load, error } = pages;
  return html`${error && html`<${Failure} error=${error} onRetry=${load} />`}
    ${answer?.scanned && html`<p class="quiet">${t('scan.cut', { n: answer.scanned, found: t('count', { value: rows.length }) })}</p>`}
    ${answer?.after && html`<button onClick=${() => load()}>${answer.scanned ? t('scan.further') : t('more')}</button>`}`;
}
