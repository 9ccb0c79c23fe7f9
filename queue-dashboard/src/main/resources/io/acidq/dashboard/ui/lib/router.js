// @ts-check
/** One segment per screen, and all state in the query. Every URL is relative, so the dashboard works below any path. */
import { useEffect, useState } from './html.js';

const callbacks = new Set();

/** The screen and the parameters of the address. */
export function place() {
  const screen = decodeURIComponent(location.pathname.slice(location.pathname.lastIndexOf('/') + 1));
  return { screen, params: Object.fromEntries(new URLSearchParams(location.search)), href: location.href };
}

/** A relative link to a screen. Parameters without a value are left out; the engine stays. */
export function link(screen, params = {}) {
  const query = new URLSearchParams();
  const all = { engine: place().params.engine, ...params };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && value !== null && value !== '') {
      query.set(name, String(value));
    }
  }
  const text = query.toString();
  return text ? `${screen}?${text}` : screen;
}

/** A link that the server names: only a screen of this dashboard is one. */
export function serverLink(text) {
  const [screen, query] = String(text).split('?', 2);
  return /^[a-z]+$/.test(screen) ? link(screen, Object.fromEntries(new URLSearchParams(query || ''))) : link('overview');
}

export function go(href, replace = false) {
  const before = place().screen;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  const moved = !replace && before !== place().screen;
  callbacks.forEach((each) => each(place()));
  if (moved) {
    scrollTo(0, 0);
  }
}

/** Changes parameters of this screen in the address. */
export const setParams = (params, replace = true) => go(link(place().screen, { ...place().params, ...params }), replace);

export function usePlace() {
  const [current, set] = useState(place());
  useEffect(() => {
    const back = () => callbacks.forEach((each) => each(place()));
    callbacks.add(set);
    addEventListener('popstate', back);
    return () => {
      callbacks.delete(set);
      removeEventListener('popstate', back);
    };
  }, []);
  return current;
}

/** Follows links to screens without loading the page again. */
export function followLinks() {
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const href = anchor && anchor.getAttribute('href');
    if (!href || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      return;
    }
    if (/^[a-z]+(\?|$)/.test(href)) {
      event.preventDefault();
      go(href);
    }
  });
}
