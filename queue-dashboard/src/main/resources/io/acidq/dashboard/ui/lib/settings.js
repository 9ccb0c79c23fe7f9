// @ts-check
/** What the user has chosen, kept in localStorage, and callbacks for its changes. */
import { useEffect, useState } from './html.js';

const NAME = 'acidq';
const DEFAULTS = { theme: 'auto', language: '', refresh: 2, keys: true };

function stored() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(NAME) || '{}') };
  } catch {
    return { ...DEFAULTS };
  }
}

let values = stored();
const callbacks = new Set();

export const settings = () => values;

/** Changes settings, and calls all callbacks. */
export function change(some) {
  values = { ...values, ...some };
  try {
    localStorage.setItem(NAME, JSON.stringify(values));
  } catch { /* private windows may refuse: the choice lasts as long as the page */ }
  applyTheme();
  callbacks.forEach((each) => each(values));
}

export function useSettings() {
  const [current, set] = useState(values);
  useEffect(() => {
    callbacks.add(set);
    return () => callbacks.delete(set);
  }, []);
  return current;
}

/** Calls back after each change. */
export function onChange(callback) {
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

export function applyTheme() {
  const root = document.documentElement;
  if (values.theme === 'auto') {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = values.theme;
  }
}
