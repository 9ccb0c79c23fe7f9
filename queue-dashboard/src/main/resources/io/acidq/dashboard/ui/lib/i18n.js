// @ts-check
/** Texts by key, in the language of the user. */
import { settings } from './settings.js';

export const LANGUAGES = { en: 'English', zh: '中文' };
let texts = {};
let language = 'en';

export const currentLanguage = () => language;

/** Loads the texts: the chosen language, else the first that the browser prefers and that there is. */
export async function loadTexts() {
  const preferred = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in LANGUAGES);
  language = settings().language in LANGUAGES ? settings().language : preferred || 'en';
  const answer = await fetch(new URL(`../i18n/${language}.json`, import.meta.url));
  texts = await answer.json();
  document.documentElement.lang = language;
}

/** The text of a key, with {names} replaced. A key that has forms is chosen by n. */
export function t(key, values = {}) {
  const form = 'n' in values ? `${key}.${new Intl.PluralRules(language).select(Number(values.n))}` : key;
  const text = texts[form] ?? texts[`${key}.other`] ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name];
    return value === undefined ? all : typeof value === 'number' ? number(value) : String(value);
  });
}

/** The text of a key, or another one where there is none: for words that the server may learn. */
export const tOr = (key, other) => texts[key] ?? other;

export const number = (value) => new Intl.NumberFormat(language).format(value);
