// @ts-check
/** Preact with htm, as one import. Nothing here makes HTML of a string: children and attributes are set as text. */
import { h, render, Fragment } from '../vendor/preact.js';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';

export const html = htm.bind(h);
export { render, Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState };
