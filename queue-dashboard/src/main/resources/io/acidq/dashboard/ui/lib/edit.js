// @ts-check
/** The dialog that edits a dead letter and replays it. It shows what changes before it sends. */
import { html, useEffect, useState } from './html.js';
import { getText } from './api.js';
import { t } from './i18n.js';
import { ActDialog } from './act.js';

const lines = (text) => text.split('\n');

/** The lines between the common beginning and the common end of two texts. */
function difference(before, after) {
  const [a, b] = [lines(before), lines(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) {
    start += 1;
  }
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end += 1;
  }
  return { removed: a.slice(start, a.length - end), added: b.slice(start, b.length - end) };
}

/** A name or a value that would not be read as it is, such as one with a line break, is written as a text of JSON. */
const quoted = (text, stop) => (text !== text.trim() || text.startsWith('"') || /[\r\n]/.test(text) || text.includes(stop) ? JSON.stringify(text) : text);

export const headerText = (headers) => Object.entries(headers || {}).map(([name, value]) => `${name === '' ? '""' : quoted(name, ':')}: ${quoted(value, '\n')}`).join('\n');

const unquoted = (text) => (text.startsWith('"') ? JSON.parse(text) : text);

/** Reads lines such as “name: value”; null if one is none. */
export function parseHeaders(text) {
  const headers = Object.create(null); // a name may be __proto__
  for (const line of lines(text).filter((each) => each.trim())) {
    const [, name, value] = line.match(/^\s*("(?:[^"\\]|\\.)*"|[^":][^:]*):(.*)$/) || [];
    if (name === undefined) {
      return null;
    }
    try {
      headers[unquoted(name.trim())] = unquoted(value.trim());
    } catch {
      return null;
    }
  }
  return headers;
}

/** A text field has line breaks as \n only: gives a text of a field those that the stored text has. */
export const withBreaksOf = (stored, text) => (stored.includes('\r\n') && !/(^|[^\r])\n/.test(stored) ? text.replaceAll('\n', '\r\n') : text);

function problem(isJson, payload, headers) {
  if (!headers) {
    return t('edit.badHeaders');
  }
  try {
    if (isJson) {
      JSON.parse(payload);
    }
    return '';
  } catch (error) {
    return t('edit.badJson', { error: error.message });
  }
}

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.queue
 * @param {any} props.content the answer of message/content, which the dialog keeps while the page reads another one: the edit is of this content
 * @param {() => void} props.onClose
 */
export function EditDialog({ id, queue, content, onClose }) {
  const [whole, setWhole] = useState(/** @type {any} */ (content.masked?.length || content.truncated ? null : { ...content, text: content.storedText ?? content.text }));
  useEffect(() => {
    if (!whole) { // the user may see it unmasked
      unmasked(id).then((text) => setWhole({ ...content, text, headers: null }), onClose);
    }
  }, []);
  return whole && html`<${Editor} id=${id} queue=${queue} content=${whole} onClose=${onClose} />`;
}

function unmasked(id) {
  return getText('message/bytes', { id });
}

function Editor({ id, queue, content, onClose }) {
  const [payload, setPayload] = useState(content.text);
  const headersBefore = headerText(content.headers);
  const [headers, setHeaders] = useState(headersBefore);
  const parsed = parseHeaders(headers);
  const bad = problem(content.mediaType === 'application/json', payload, parsed);
  const { removed, added } = difference(content.text, payload);
  const changed = removed.length > 0 || added.length > 0;
  const same = !changed && headers === headersBefore;
  return html`<${ActDialog} title=${t('edit.title')} text=${t('edit.text')} verb=${t('edit.action')} path="dead/edit" queue=${queue} danger disabled=${Boolean(bad) || same}
    fields=${(reason) => ({ id, diedAt: content.diedAt, payload, reason, ...(headers === headersBefore ? {} : { headers: parsed }) })}
    done=${() => t('edit.done')} onClose=${onClose}>
    <label class="field">${t('edit.payload')}<textarea class="mono" rows="12" spellcheck=${false} value=${payload} onInput=${(event) => setPayload(withBreaksOf(content.text, event.currentTarget.value))} /></label>
    ${content.headers && html`<label class="field">${t('edit.headers')}<textarea class="mono" rows="3" spellcheck=${false} value=${headers} onInput=${(event) => setHeaders(event.currentTarget.value)} /></label>`}
    ${bad && html`<p class="error" role="alert">${bad}</p>`}
    ${same && html`<p class="quiet">${t('edit.same')}</p>`}
    ${changed && html`<section aria-label=${t('edit.difference')}><h3>${t('edit.difference')}</h3><pre class="payload difference" tabindex="0">${removed.map((line, i) => html`<del key=${`r${i}`}>− ${line}${'\n'}</del>`)}${added.map((line, i) => html`<ins key=${`a${i}`}>+ ${line}${'\n'}</ins>`)}</pre></section>`}
  </${ActDialog}>`;
}
