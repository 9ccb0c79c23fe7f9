// @ts-check
/** The search box: an id, or words such as type:OrderPlaced, which become parameters of the address. */
import { html, useState } from './html.js';
import { get } from './api.js';
import { t } from './i18n.js';
import { go, link, place, setParams } from './router.js';

const WORD = /([a-zA-Z]+):(?:"([^"]*)"|(\S+))\s*/gy;

/** Splits a text into words; null if a part of it is no word. */
function parse(text) {
  const found = [];
  WORD.lastIndex = 0;
  for (let end = 0; end < text.length; end = WORD.lastIndex) {
    const match = WORD.exec(text);
    if (!match) {
      return null;
    }
    found.push([match[1], match[2] ?? match[3]]);
  }
  return found;
}

/**
 * @param {object} props
 * @param {string[]} props.words that this screen knows
 * @param {boolean} [props.keyOpens] whether a message key leads to its message
 */
export function Search({ words, keyOpens = false }) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const search = async (event) => {
    event.preventDefault();
    setError('');
    const typed = text.trim();
    const { params } = place();
    if (typed.split('~').length === 3 && !typed.includes(':')) {
      go(link('message', { id: typed }));
      return;
    }
    const found = parse(typed);
    if (!found || found.length === 0 || found.some(([word]) => !words.includes(word))) {
      setError(t('search.words', { words: words.map((word) => `${word}:…`).join(' ') }));
      return;
    }
    const values = Object.fromEntries(found.map(([word, value]) => [word, word === 'state' ? value.toUpperCase() : value]));
    if (!keyOpens || !values.key) {
      setParams({ ...values, limit: '' }, false);
      setText('');
      return;
    }
    const queue = values.queue || params.queue;
    if (!queue) {
      setError(t('search.keyNeedsQueue'));
      return;
    }
    try {
      go(link('message', { id: (await get('message/by-key', { queue, key: values.key })).id }));
    } catch (failure) {
      setError(failure.message);
    }
  };
  return html`<form class="search" role="search" onSubmit=${search}><label class="field"><span class="hidden">${t('search')}</span>
    <input type="search" value=${text} placeholder=${t('search.hint', { words: words.map((word) => `${word}:…`).join('  ') })} onInput=${(event) => setText(event.currentTarget.value)} /></label><button>${t('search')}</button>
    ${error && html`<p class="error" role="alert">${error}</p>`}</form>`;
}

/** The conditions that hold, each with a button that removes it. */
export function Chosen({ params }) {
  const chosen = Object.entries(params).filter(([, value]) => value);
  return chosen.length > 0 && html`<p class="filter">${chosen.map(([name, value]) => html`<span key=${name} class="tag">${name}: ${value}
    <button class="small plain" aria-label=${t('search.remove', { name })} onClick=${() => setParams({ [name]: '' }, false)}>×</button></span> `)}</p>`;
}
