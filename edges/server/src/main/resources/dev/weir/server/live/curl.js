// Reads a curl command line the way a shell and curl would, as far as a rate limiter cares.

const SHORT_WITH_VALUE = "XHdubAeFTomxwEKCcrtyYzQDPU";
const METHOD = new Set(["-X", "--request"]);
const HEADER = new Set(["-H", "--header"]);
const BODY = new Set(["-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode"]);
const FORM = new Set(["-F", "--form", "--form-string"]);
const HEADER_OF = { "-A": "User-Agent", "--user-agent": "User-Agent", "-e": "Referer", "--referer": "Referer", "-b": "Cookie", "--cookie": "Cookie", "-r": "Range", "--range": "Range" };
const FLAGS = new Set(
  ("compressed insecure silent show-error location verbose include fail http1.0 http1.1 http2 http2-prior-knowledge http3 globoff no-buffer " +
    "progress-bar fail-with-body path-as-is ipv4 ipv6 no-keepalive tcp-nodelay raw remote-name location-trusted anyauth basic digest junk-session-cookies " +
    "ssl ssl-reqd tlsv1.2 tlsv1.3 no-progress-meter styled-output create-dirs").split(" ").map((name) => `--${name}`),
);

/** Splits a command line into words; quotes, escapes and continued lines as in a POSIX shell. */
export function shellWords(text) {
  const words = [];
  let word = null;
  let i = 0;
  const add = (chars) => {
    word = (word ?? "") + chars;
  };
  while (i < text.length) {
    const c = text[i];
    if (c === "\\") {
      if (text[i + 1] !== "\n" && text.slice(i + 1, i + 3) !== "\r\n") {
        add(text[i + 1] ?? "");
      }
      i += text.slice(i + 1, i + 3) === "\r\n" ? 3 : 2;
    } else if (c === "'" || (c === "$" && text[i + 1] === "'")) {
      const begin = c === "$" ? i + 2 : i + 1;
      const end = c === "$" ? endOfAnsi(text, begin) : text.indexOf("'", begin);
      if (end < 0) {
        throw new Error("a quote ' has no end (expected: another ')");
      }
      const inner = text.slice(begin, end);
      add(c === "$" ? unescapeAnsi(inner) : inner);
      i = end + 1;
    } else if (c === '"') {
      add("");
      i = doubleQuoted(text, i + 1, add);
    } else if (/\s/.test(c)) {
      if (word !== null) {
        words.push(word);
        word = null;
      }
      i++;
    } else if (word === null && /[|;&><]/.test(c)) {
      break; // another command, or where the output goes
    } else {
      add(c);
      i++;
    }
  }
  return word === null ? words : [...words, word];
}

function doubleQuoted(text, begin, add) {
  let i = begin;
  while (i < text.length && text[i] !== '"') {
    if (text[i] === "\\" && '"\\$`\n'.includes(text[i + 1] ?? "")) {
      add(text[i + 1] === "\n" ? "" : text[i + 1]);
      i += 2;
    } else {
      add(text[i]);
      i++;
    }
  }
  if (i >= text.length) {
    throw new Error('a quote " has no end (expected: another ")');
  }
  return i + 1;
}

function endOfAnsi(text, begin) {
  for (let i = begin; i < text.length; i++) {
    if (text[i] === "\\") {
      i++;
    } else if (text[i] === "'") {
      return i;
    }
  }
  return -1;
}

function unescapeAnsi(text) {
  const plain = { n: "\n", r: "\r", t: "\t", "\\": "\\", "'": "'", '"': '"' };
  return text.replace(/\\(u[0-9a-fA-F]{1,4}|x[0-9a-fA-F]{1,2}|.)/gs, (all, code) => {
    const hex = /^[ux](.+)$/.exec(code);
    return hex === null ? (plain[code] ?? all) : String.fromCharCode(parseInt(hex[1], 16));
  });
}

/** One option with its value, or a word; -XPOST, -sX POST and --request=POST are taken apart. */
function* options(words) {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const long = /^(--[\w.-]+)=(.*)$/s.exec(word);
    if (long !== null) {
      yield [long[1], long[2]];
    } else if (word.startsWith("--")) {
      yield FLAGS.has(word) || word.startsWith("--no-") || ["--get", "--head"].includes(word) ? [word, null] : [word, words[++i] ?? ""];
    } else if (/^-[A-Za-z0-9#:]/.test(word)) {
      for (let at = 1; at < word.length; at++) {
        if (SHORT_WITH_VALUE.includes(word[at])) {
          yield [`-${word[at]}`, word.slice(at + 1) || (words[++i] ?? "")];
          break;
        }
        yield [`-${word[at]}`, null];
      }
    } else {
      yield [null, word];
    }
  }
}

/** What a curl line would send: {method, url, headers, body}. */
export function parseCurl(text) {
  const [, ...words] = shellWords(text);
  const headers = [];
  const data = [];
  let method = null;
  let url = null;
  let inQuery = false;
  let fallback = "GET";
  let type = null;
  for (const [name, value] of options(words)) {
    if (METHOD.has(name)) {
      method = value;
    } else if (HEADER.has(name)) {
      headers.push(value.replace(/;$/, ":"));
    } else if (BODY.has(name) || name === "--json") {
      data.push(value);
      fallback = "POST";
      type ??= name === "--json" ? "application/json" : "application/x-www-form-urlencoded";
    } else if (FORM.has(name)) {
      fallback = "POST";
      type = "multipart/form-data";
    } else if (name === "-u" || name === "--user") {
      headers.push(`Authorization: Basic ${base64(value)}`);
    } else if (name === "--oauth2-bearer") {
      headers.push(`Authorization: Bearer ${value}`);
    } else if ((name === "-b" || name === "--cookie") && !value.includes("=")) {
      continue; // a file of cookies
    } else if (name in HEADER_OF) {
      headers.push(`${HEADER_OF[name]}: ${value}`);
    } else if (name === "-T" || name === "--upload-file") {
      fallback = "PUT";
    } else if (name === "-I" || name === "--head") {
      fallback = "HEAD";
    } else if (name === "-G" || name === "--get") {
      inQuery = true;
    } else if (name === "--url" || (name === null && url === null)) {
      url = value;
    }
  }
  if (url === null) {
    throw new Error("no URL in the curl line (expected: curl https://host/path)");
  }
  if (inQuery && data.length > 0) {
    const [before, fragment] = url.split("#", 2);
    url = before + (before.includes("?") ? "&" : "?") + data.join("&") + (fragment === undefined ? "" : `#${fragment}`);
  }
  const sendsBody = data.length > 0 && !inQuery;
  if (type !== null && !inQuery && !headers.some((line) => /^content-type:/i.test(line))) {
    headers.push(`Content-Type: ${type}`);
  }
  return {
    method: method ?? (inQuery ? "GET" : fallback),
    url: /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`,
    // A header without a value is one that curl leaves out.
    headers: headers.filter((line) => /^[^:]+:\s*\S/.test(line)),
    body: sendsBody ? data.join("&") : null,
  };
}

/** UTF-8 in Base64. */
export function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
