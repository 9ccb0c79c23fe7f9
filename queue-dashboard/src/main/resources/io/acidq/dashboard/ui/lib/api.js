// @ts-check
/** The JSON API: GET with the last version, POST as JSON, and hooks that ask again while they are shown. */
import { useEffect, useRef, useState } from './html.js';
import { t } from './i18n.js';
import { place } from './router.js';
import { settings, onChange } from './settings.js';
import { learnClock } from './time.js';

const LOGIN = 'acidq-login';
const LONGEST_MS = 60000;

/** A server that does not answer must not stop the page for ever. */
const TIMEOUT_MS = 30000;
const LONG_TIMEOUT_MS = 60000;

/** An answer that is no success. */
export class ApiError extends Error {
  constructor(status, body) {
    super(body.error || `HTTP ${status}`);
    this.status = status;
    this.database = body.database;
    /** The seconds that the request may be given when it is asked again, if it took too long. */
    this.longerTimeout = body.longerTimeout;
  }
}

let csrf = null;

/** Sends the header that the application wants with each POST. */
export function useCsrf(value) {
  csrf = value;
}

const ask = (url, options) => fetch(url, { cache: 'no-store', redirect: 'manual', ...options });

/** Whether the application asks for a login: it leads to a page, which the API never does. */
const isLogin = (response) => response.type === 'opaqueredirect' || (response.ok && /^text\/html/.test(response.headers.get('Content-Type') || ''));

async function read(response) {
  let body = {};
  try {
    body = await response.json();
  } catch { /* a proxy may answer with a page of its own */ }
  const login = isLogin(response);
  if (response.ok && !login) {
    learnClock(body.now);
    return body;
  }
  if ((login || response.status === 401) && !sessionStorage.getItem(LOGIN)) {
    sessionStorage.setItem(LOGIN, location.href);
    location.reload(); // once: the application's login comes first, and leads back
  }
  throw login ? new ApiError(401, { error: t('session.ended') }) : new ApiError(response.status, body);
}

/** Returns a successful answer that is no JSON. */
async function checked(response) {
  if (!response.ok || isLogin(response)) {
    await read(response); // throws
  }
  return response;
}

/** The address of a route, for the engine that is shown. */
export function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ engine: place().params.engine, ...params })) {
    if (value !== undefined && value !== null && value !== '') {
      query.set(name, String(value));
    }
  }
  return `api/v1/${path}${query.size ? `?${query}` : ''}`;
}

/** Asks once. */
export async function get(path, params = {}) {
  return read(await ask(address(path, params), { headers: { Accept: 'application/json' } }));
}

/** Asks once, for a text. */
export async function getText(path, params = {}) {
  return (await checked(await ask(address(path, params)))).text();
}

/** Asks for a file, and lets the browser save it. */
export async function download(path, params, type, name) {
  const response = await checked(await ask(address(path, params), { headers: { Accept: type } }));
  const url = URL.createObjectURL(await response.blob());
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}

export async function post(path, fields) {
  const headers = { 'Content-Type': 'application/json', 'X-AcidQ': '1', ...(csrf ? { [csrf.header]: csrf.token } : {}) };
  const engine = place().params.engine;
  const body = JSON.stringify(engine ? { engine, ...fields } : fields);
  const answer = await read(await ask(`api/v1/${path}`, { method: 'POST', headers, body }));
  changed.forEach((each) => each());
  return answer;
}

/** Called after each act: what is shown asks at once. */
const changed = new Set();

/**
 * The answer to a GET, asked again as often as the user has chosen, with the version that is known. What is there stays while it is asked again, and after an error.
 * A path of null asks nothing. With `every` it is asked again after so many seconds at the soonest. What the user has given a longer timeout is not asked again by
 * itself, but for acts: it costs the database more than a look is worth.
 *
 * @returns {{data: any, error: any, asking: boolean, slow: boolean, reload: (timeout?: number) => void}}
 */
export function useLive(path, params = {}, { once = false, every = 0 } = {}) {
  const url = path === null ? null : address(path, params);
  const [state, set] = useState({ url: '', data: null, error: null, slow: false });
  const reload = useRef((/** @type {number | undefined} */ _timeout) => {});
  useEffect(() => {
    if (url === null) {
      return undefined;
    }
    let over = false;
    let timer = 0;
    let version = null;
    let failures = 0;
    let running = false;
    let again = false;
    let timeout = 0;
    const plan = () => {
      clearTimeout(timer);
      const seconds = settings().refresh && Math.max(every, settings().refresh);
      if (!over && !once && !timeout && seconds && !document.hidden) {
        timer = setTimeout(askAgain, Math.min(LONGEST_MS, seconds * 1000 * 2 ** failures));
      }
    };
    const askAgain = async () => {
      if (running) {
        again = true; // an act has changed something after this answer was made
        return;
      }
      running = true;
      clearTimeout(timer);
      try {
        const longer = timeout ? `${url.includes('?') ? '&' : '?'}timeout=${timeout}` : '';
        const slow = timeout > 0;
        const response = await ask(url + longer, { signal: AbortSignal.timeout(slow ? LONG_TIMEOUT_MS : TIMEOUT_MS), headers: { Accept: 'application/json', ...(version ? { 'If-None-Match': version } : {}) } });
        if (response.status !== 304) {
          const data = await read(response);
          version = response.headers.get('ETag');
          if (!over) {
            set({ url, data, error: null, slow });
          }
        } else if (!over) {
          set((before) => ({ ...before, error: null }));
        }
        failures = 0;
        sessionStorage.removeItem(LOGIN);
      } catch (error) {
        failures = Math.min(failures + 1, 5);
        if (!over) {
          set((before) => ({ url, data: before.url === url ? before.data : null, error, slow: false }));
        }
      }
      running = false;
      if (again && !over) {
        again = false;
        askAgain();
      } else {
        plan();
      }
    };
    const acted = () => {
      failures = 0;
      askAgain();
    };
    const shown = () => (document.hidden ? clearTimeout(timer) : settings().refresh && !once && !timeout ? askAgain() : undefined);
    reload.current = (seconds = 0) => {
      if (seconds) {
        timeout = seconds;
        set((before) => ({ ...before, error: null })); // the part shows that it is loading
      }
      askAgain();
    };
    askAgain();
    changed.add(acted);
    document.addEventListener('visibilitychange', shown);
    const forget = onChange(plan);
    return () => {
      over = true;
      clearTimeout(timer);
      changed.delete(acted);
      document.removeEventListener('visibilitychange', shown);
      forget();
    };
  }, [url]);
  const current = state.url === url;
  return {
    data: current ? state.data : null, error: current ? state.error : null, asking: !current, slow: current && state.slow,
    reload: (seconds = 0) => reload.current(seconds),
  };
}
