// Turns what somebody pastes into the body of POST /explain.

import { base64, parseCurl } from "./curl.js";
import { count } from "./format.js";

const METHOD_AND_TARGET = /^([!#$%&'*+.^_`|~A-Za-z0-9-]+)[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/;
const HEADER = /^[!#$%&'*+.^_`|~A-Za-z0-9-]+:/;
const EXPECTED = "a curl line, POST /login, https://host/path, path=/login, ip=192.0.2.1, or JSON";

/**
 * Reads a text: {body, label, notes}. The body is for /explain; the label says how the text was
 * understood, and the notes what of it has no effect.
 *
 * @throws Error in words for the reader
 */
export function parseRequest(text, peer) {
  const trimmed = text.trim();
  if (trimmed === "") {
    throw new Error(`nothing to explain (expected: ${EXPECTED})`);
  }
  if (/^(\$\s+)?curl\s/.test(trimmed)) {
    return fromCurl(trimmed.replace(/^\$\s+/, ""), peer);
  }
  if (trimmed.startsWith("{")) {
    return fromJson(trimmed);
  }
  const [first, ...lines] = trimmed.split(/\r?\n/);
  const request = METHOD_AND_TARGET.exec(first);
  if (request !== null && /^(\/|\*$|https?:\/\/)/i.test(request[2])) {
    return described(request[1], request[2], headerLines(lines), peer);
  }
  if (/^(https?:\/\/|\/)\S*$/i.test(first)) {
    return described("GET", first, headerLines(lines), peer);
  }
  if (trimmed.includes("=")) {
    return fromPairs(trimmed);
  }
  throw new Error(`not understood: ${shown(first)} (expected: ${EXPECTED})`);
}

const shown = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** The header lines of a raw request, up to its body. */
function headerLines(lines) {
  const headers = [];
  for (const line of lines) {
    if (line.trim() === "") {
      break;
    }
    if (!HEADER.test(line)) {
      throw new Error(`not a header: ${shown(line)} (expected: Name: value)`);
    }
    headers.push(line.trim());
  }
  return headers;
}

function fromCurl(text, peer) {
  const { method, url, headers, body } = parseCurl(text);
  const notes = body === null ? [] : [`The body (${count(body.length)} characters) is not looked at: no rule reads bodies here.`];
  return described(method, url, headers, peer, notes);
}

function described(method, target, headers, peer, notes = []) {
  let path = target;
  const all = [...headers];
  if (/^https?:\/\//i.test(target)) {
    let url;
    try {
      url = new URL(target);
    } catch {
      throw new Error(`not a URL: ${shown(target)} (expected: https://host/path)`);
    }
    // As it was written: how it is read is for the rules to say.
    path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(target)[1];
    path = path.startsWith("/") ? path : `/${path}`;
    if (!all.some((line) => /^host:/i.test(line))) {
      all.unshift(`Host: ${url.host}`);
    }
    if (url.username !== "" && !all.some((line) => /^authorization:/i.test(line))) {
      const [name, password] = [url.username, url.password].map(decodeURIComponent);
      all.push(`Authorization: Basic ${base64(`${name}:${password}`)}`);
    }
  }
  const request = { method, target: path.replace(/#.*$/, ""), headers: all };
  if (peer.trim() !== "") {
    request.peer = peer.trim();
  }
  const names = all.map((line) => line.slice(0, line.indexOf(":")));
  const from = request.peer === undefined ? "" : ` from ${request.peer}`;
  const having = names.length === 0 ? "" : `, with ${names.join(", ")}`;
  return { body: { request }, label: `${method} ${request.target}${from}${having}`, notes };
}

function fromJson(text) {
  let json;
  try {
    json = JSON.parse(text);
  } catch (failure) {
    throw new Error(`not JSON: ${failure.message} (expected: {"path": "/login", "ip": "192.0.2.1"})`);
  }
  if ("values" in json || "request" in json) {
    const { operation, ...body } = json; // of /v1/decide; to explain is to peek
    return { body, label: "the JSON as it is", notes: operation === undefined ? [] : ["The operation has no effect."] };
  }
  const values = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]));
  return withValues(values);
}

/** name=value, separated by commas or ends of lines; a value with commas is put into quotes. */
function fromPairs(text) {
  const values = {};
  const pair = /\s*([^=,\n]+?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^,\n]*))\s*(?:[,\n]|$)/gy;
  let end = 0;
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    values[match[1]] = match[2] === undefined ? match[3].trim() : match[2].replace(/\\(.)/g, "$1");
    end = pair.lastIndex;
    if (end >= text.length) {
      break;
    }
  }
  if (end < text.length) {
    throw new Error(`not understood: ${shown(text.slice(end))} (expected: name=value, name=value)`);
  }
  return withValues(values);
}

function withValues(values) {
  const label = Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
  return { body: { values }, label: `values ${label}`, notes: [] };
}
