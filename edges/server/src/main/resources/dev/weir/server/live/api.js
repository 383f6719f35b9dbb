// Requests to the server of this page.

/** The server answered with an error, or not at all: then the status is 0. */
export class ApiError extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

let onUnauthorized = () => {};

/** Calls a listener whenever the server wants a token. */
export function whenUnauthorized(listener) {
  onUnauthorized = listener;
}

/** The error of a response that is not a success; the detail is in words of the server. */
export async function errorOf(response) {
  let detail = `${response.status} ${response.statusText}`.trim();
  try {
    const body = await response.json();
    detail = String(body.detail ?? body.title ?? detail);
  } catch {
    // not a problem document
  }
  if (response.status === 401) {
    onUnauthorized();
  }
  return new ApiError(response.status, detail);
}

/** Sends a request and returns the JSON of the answer, or null if it has no body. */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      cache: "no-store",
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (failure) {
    const late = failure.name === "TimeoutError";
    throw new ApiError(0, late ? "Weir did not answer within 10 s" : "Weir cannot be reached");
  }
  if (!response.ok) {
    throw await errorOf(response);
  }
  const text = await response.text();
  return text === "" ? null : JSON.parse(text);
}

/** Like call, but null if the server has no such endpoint. */
export async function callIfThere(method, path) {
  try {
    return await call(method, path);
  } catch (failure) {
    if (failure.status === 404) {
      return null;
    }
    throw failure;
  }
}
