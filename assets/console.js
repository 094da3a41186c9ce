/*
 * The console of an operation: a form from which readers send requests straight to the servers of its specification.
 * Secrets stay in the storage of the tab, by the server that they are for.
 */
(() => {
  const root = document.documentElement;
  const texts = JSON.parse(root.dataset.consoleTexts);
  const base = root.dataset.site ?? '';
  const MOST_BYTES = 5 * 1024 ** 2;
  const MOST_SHOWN = 100_000;
  const SIGN_IN_TIME = 10 * 60_000;
  /** Types of answers that a browser shows without scripts; all others are saved as bytes alone. */
  const SAVED_TYPES = /^(?:application\/json|text\/(?:csv|plain)|image\/(?:gif|jpeg|png|webp))\b/i;
  let ids = 0;

  /** A fault of what the reader gave; its message is for them. */
  class GivenFault extends Error {
    constructor(message, field) {
      super(message);
      this.field = field;
    }
  }

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children.filter((child) => child !== undefined && child !== null));
    return made;
  };
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

  /* Secrets */
  const secrets = {
    key: (origin, scheme) => `console:${base}:${origin}:${scheme}`,
    get(origin, scheme) {
      try {
        return JSON.parse(sessionStorage.getItem(this.key(origin, scheme)) ?? '{}');
      } catch {
        return {};
      }
    },
    set(origin, scheme, given) {
      try {
        sessionStorage.setItem(this.key(origin, scheme), JSON.stringify(given));
      } catch {
        // Readers may forbid it.
      }
    },
  };

  /* Fields */
  const labelled = (text, control, note) => {
    control.id = `console-${++ids}`;
    const label = element('label', { htmlFor: control.id }, text);
    if (note) label.append(element('span', { className: 'console-note' }, ` ${note}`));
    return element('div', { className: 'console-field' }, label, control);
  };
  const choice = (values, value) => {
    const select = element('select', {}, ...values.map((each) => new Option(each.title ?? each, each.value ?? each)));
    if (value !== undefined) select.value = value;
    return select;
  };
  const input = (type, value = '') =>
    element('input', { type, value, autocomplete: 'off', autocapitalize: 'off', spellcheck: false });
  const area = (value, rows) => element('textarea', { value, rows, spellcheck: false });

  /** A field of the specification with the control that its kind needs. */
  const fieldOf = (field) => {
    const { name, kind, isRequired, value, values } = field;
    let control;
    if (kind === 'file') control = element('input', { type: 'file', multiple: true });
    else if (values) control = choice(isRequired ? values : [{ title: '', value: '' }, ...values], value);
    else if (kind === 'text') control = input('text', value);
    else control = area(value, kind === 'json' ? 5 : 3);
    const notes = [isRequired ? '*' : '', kind === 'list' ? texts.onePerLine : kind === 'json' ? 'JSON' : ''];
    const row = labelled(name, control, notes.filter(Boolean).join(' '));
    if (isRequired) control.setAttribute('aria-required', 'true');
    return { ...field, control, row };
  };

  /** The value of a field: a text, several, an object, or files; undefined where nothing is given. */
  const valueOf = ({ name, kind, isRequired, control }) => {
    if (kind === 'file') {
      if (control.files.length === 0 && isRequired) throw new GivenFault(filled(texts.missing, { name }), control);
      return control.files.length === 0 ? undefined : [...control.files];
    }
    const text = control.value;
    if (text.trim() === '') {
      if (isRequired) throw new GivenFault(filled(texts.missing, { name }), control);
      return undefined;
    }
    if (kind === 'list') return text.split('\n').filter((line) => line !== '');
    return kind === 'json' ? parsed(text, name, control) : text;
  };
  const parsed = (text, name, control) => {
    try {
      return JSON.parse(text);
    } catch {
      throw new GivenFault(filled(texts.noJson, { name }), control);
    }
  };
  const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const SEPARATORS = { space: ' ', pipe: '|' };
  const joined = (style, value) => {
    if (style === 'json' || typeof value === 'string') return plain(value);
    if (style === 'assigned' && !Array.isArray(value)) return assigned(value, plain).join(',');
    return partsOf(value)
      .map(plain)
      .join(SEPARATORS[style] ?? ',');
  };
  const assigned = (value, text) => Object.entries(value).map((pair) => pair.map(text).join('='));
  const partsOf = (value) => (Array.isArray(value) ? value : Object.entries(value).flat());
  /** A value as a part of a path: each of several is encoded, the characters between them are not. */
  const pathText = ({ name, style }, value) => {
    const encode = (each) => encodeURIComponent(plain(each));
    const parts = (typeof value === 'string' ? [value] : partsOf(value)).map(encode);
    const pairs = typeof value === 'object' && !Array.isArray(value) ? assigned(value, encode) : undefined;
    switch (style) {
      case 'label':
        return `.${parts.join(',')}`;
      case 'label-exploded':
        return `.${(pairs ?? parts).join('.')}`;
      case 'matrix':
        return `;${encode(name)}=${parts.join(',')}`;
      case 'matrix-exploded':
        return (pairs ?? parts.map((each) => `${encode(name)}=${each}`)).map((each) => `;${each}`).join('');
      case 'assigned':
        return (pairs ?? parts).join(',');
      case 'comma':
        return parts.join(',');
      default:
        return encode(joined(style, value));
    }
  };
  /** The pairs of a query that a value makes. */
  const pairsOf = ({ name, style }, value) => {
    const isObject = typeof value === 'object' && !Array.isArray(value);
    if (style === 'deep' && isObject)
      return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, plain(each)]);
    if (style === 'repeated' && Array.isArray(value)) return value.map((each) => [name, plain(each)]);
    if (style === 'repeated' && isObject) return Object.entries(value).map(([key, each]) => [key, plain(each)]);
    return [[name, joined(style, value)]];
  };
  const queryOf = (pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

  /* Servers */
  const serverPart = (servers) => {
    const select = servers.length > 1 ? choice(servers.map(({ url }) => url)) : undefined;
    const rest = element('div');
    let variables = [];
    const current = () => servers.find(({ url }) => url === select?.value) ?? servers[0];
    const show = () => {
      variables = current().variables.map((each) => fieldOf({ ...each, kind: 'text', isRequired: true }));
      rest.replaceChildren(...variables.map(({ row }) => row));
    };
    const url = () => {
      const values = new Map(variables.map((field) => [field.name, valueOf(field)]));
      return current().url.replace(/\{([^{}]+)\}/g, (all, name) => values.get(name) ?? all);
    };
    const origin = () => {
      try {
        return new URL(url()).origin;
      } catch {
        return '';
      }
    };
    show();
    select?.addEventListener('change', show);
    const first = select
      ? labelled(texts.server, select)
      : element('p', {}, `${texts.server}: `, element('code', {}, servers[0].url));
    return { row: element('div', {}, first, rest), url, origin };
  };

  /* Authorization */
  const schemePart = (scheme, server) => {
    const fields = new Map();
    const row = element('div', { className: 'console-scheme' }, element('p', {}, element('code', {}, scheme.name)));
    const status = element('p', { className: 'console-note' });
    const add = (name, label, type) => {
      const control = input(type);
      fields.set(name, control);
      row.append(labelled(label, control));
      control.addEventListener('input', store);
    };
    const given = () => Object.fromEntries([...fields].map(([name, control]) => [name, control.value]));
    /** The secret of a client is for the addresses of tokens, whatever the server of the API is. */
    const login = [scheme.tokenUrl, scheme.clientTokenUrl].join(' ');
    const store = () => {
      const { clientId, clientSecret, ...own } = given();
      if (server.origin() !== '') secrets.set(server.origin(), scheme.name, own);
      if (clientId !== undefined) secrets.set(login, scheme.name, { clientId, clientSecret });
    };
    let owner;
    /** Each server has secrets of its own: those for another one never stay in the fields. */
    const load = () => {
      if (server.origin() === owner) return;
      owner = server.origin();
      const { token, user, password } = secrets.get(owner, scheme.name);
      const known = { ...secrets.get(login, scheme.name), token, user, password };
      for (const [name, control] of fields) control.value = known[name] ?? '';
    };
    const getToken = async (make) => {
      // The reader may choose another server meanwhile: the token is for the one that it was asked for.
      const asked = server.origin();
      status.textContent = texts.sending;
      try {
        const token = await make();
        secrets.set(asked, scheme.name, { ...secrets.get(asked, scheme.name), token });
        if (owner === asked) fields.get('token').value = token;
        status.textContent = '✓';
      } catch (error) {
        status.textContent = filled(texts.refused, { reason: error.message });
      }
    };
    if (scheme.kind === 'basic') {
      add('user', texts.user, 'text');
      add('password', texts.password, 'password');
    } else if (scheme.place === 'cookie') row.append(element('p', { className: 'console-note' }, texts.cookies));
    else add('token', scheme.kind === 'key' ? scheme.key : texts.token, 'password');
    if (scheme.authorizationUrl || scheme.clientTokenUrl) {
      add('clientId', texts.clientId, 'text');
      add('clientSecret', texts.clientSecret, 'password');
      const button = (title, make) => {
        const made = element('button', { type: 'button', className: 'button secondary' }, title);
        made.addEventListener('click', () => void getToken(() => make(scheme, given())));
        row.append(made);
      };
      if (scheme.authorizationUrl) {
        button(texts.signIn, signedIn);
        row.append(element('p', { className: 'console-note' }, filled(texts.redirect, { address: redirectAddress() })));
      }
      if (scheme.clientTokenUrl) button(texts.getToken, clientToken);
      row.append(status);
      status.setAttribute('role', 'status');
    }
    load();
    /** Adds the secret to a request. */
    const carry = ({ headers, query }) => {
      load();
      const { token = '', user = '', password = '' } = given();
      if (scheme.kind === 'basic') {
        if (user + password !== '') headers.set('Authorization', `Basic ${base64(`${user}:${password}`)}`);
      } else if (token === '') return;
      else if (scheme.kind !== 'key') headers.set('Authorization', `Bearer ${token.replace(/^bearer\s+/i, '')}`);
      else if (scheme.place === 'header') headers.set(scheme.key, token);
      else if (scheme.place === 'query') query.push([scheme.key, token]);
    };
    return { row, load, carry };
  };
  const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const base64url = (bytes) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');

  const securityPart = (security, server) => {
    if (security.length === 0) return { row: undefined, carry: () => {}, load: () => {}, sendsCookies: () => false };
    const titles = security.map((schemes) => schemes.map(({ name }) => name).join(' + ') || texts.noAuthorization);
    const select =
      security.length > 1 ? choice(titles.map((title, index) => ({ title, value: String(index) }))) : undefined;
    const rest = element('div');
    let parts = [];
    const schemes = () => security[Number(select?.value ?? 0)];
    const show = () => {
      parts = schemes().map((scheme) => schemePart(scheme, server));
      rest.replaceChildren(...parts.map(({ row }) => row));
    };
    show();
    select?.addEventListener('change', show);
    const note = element('p', { className: 'console-note' }, texts.kept);
    const row = element('fieldset', {}, element('legend', {}, texts.authorization));
    row.append(...(select ? [labelled(texts.authorization, select)] : []), rest, note);
    return {
      row,
      carry: (request) => parts.forEach(({ carry }) => carry(request)),
      load: () => parts.forEach(({ load }) => load()),
      sendsCookies: () => schemes().some(({ place }) => place === 'cookie'),
    };
  };

  /* OAuth 2 */
  const redirectAddress = () => `${location.origin}${base}/`;
  const tokenOf = async (address, parameters, clientSecret) => {
    const body = new URLSearchParams(parameters);
    if (clientSecret !== '') body.set('client_secret', clientSecret);
    const headers = { Accept: 'application/json' };
    const answer = await fetch(address, {
      method: 'POST',
      headers,
      body,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok || typeof said.access_token !== 'string')
      throw new Error(String(said.error_description ?? said.error ?? answer.status));
    return said.access_token;
  };
  const clientToken = ({ clientTokenUrl, scopes = [] }, { clientId, clientSecret }) =>
    tokenOf(
      clientTokenUrl,
      { grant_type: 'client_credentials', client_id: clientId, ...(scopes.length > 0 && { scope: scopes.join(' ') }) },
      clientSecret,
    );
  /** Signs the reader in at the authorization server, in a window of its own (RFC 6749, with RFC 7636). */
  const signedIn = async ({ authorizationUrl, tokenUrl, scopes = [] }, { clientId, clientSecret }) => {
    // Browsers compute no digests for pages without HTTPS.
    if (!window.isSecureContext) throw new Error('HTTPS');
    // Opened before anything is awaited: browsers let no other window open.
    const opened = window.open('', '_blank', 'popup,width=600,height=750');
    if (!opened) throw new Error('window.open');
    const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
    const [verifier, state] = [random(), `console.${random()}`];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const address = new URL(authorizationUrl);
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectAddress(),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);
    const code = returned(state);
    opened.opener = null;
    opened.location.href = address.href;
    return tokenOf(
      tokenUrl,
      {
        grant_type: 'authorization_code',
        code: await code,
        redirect_uri: redirectAddress(),
        client_id: clientId,
        code_verifier: verifier,
      },
      clientSecret,
    );
  };
  const returned = (state) =>
    new Promise((resolve, reject) => {
      const channel = new BroadcastChannel('api-console');
      const timer = setTimeout(() => {
        channel.close();
        reject(new Error(texts.cancelled));
      }, SIGN_IN_TIME);
      channel.addEventListener('message', ({ data }) => {
        if (data?.state !== state) return;
        clearTimeout(timer);
        channel.close();
        if (typeof data.code === 'string') resolve(data.code);
        else reject(new Error(String(data.error)));
      });
    });

  /* Bodies */
  const bodyPart = (body) => {
    if (!body || body.media.length === 0) return { row: undefined, of: () => ({}) };
    const select = body.media.length > 1 ? choice(body.media.map(({ type }) => type)) : undefined;
    const rest = element('div');
    let fields = [];
    const media = () => body.media.find(({ type }) => type === select?.value) ?? body.media[0];
    const show = () => {
      const { type, example = '', fields: parts, isFile } = media();
      if (parts) fields = parts.map(fieldOf);
      else if (isFile) fields = [fieldOf({ name: type, kind: 'file', isRequired: body.isRequired, value: '' })];
      else {
        const control = area(example, Math.min(20, Math.max(5, example.split('\n').length + 1)));
        fields = [{ name: type, kind: 'text', isRequired: body.isRequired, control, row: labelled(type, control) }];
      }
      rest.replaceChildren(...fields.map(({ row }) => row));
    };
    show();
    select?.addEventListener('change', show);
    const row = element('fieldset', {}, element('legend', {}, texts.body));
    row.append(...(select ? [labelled(texts.body, select)] : []), rest);
    /** The body and its type; a browser names the type of a form with parts itself. */
    const of = () => {
      const { type, fields: parts } = media();
      if (!parts) {
        const [field] = fields;
        const value = valueOf(field);
        if (value === undefined) return {};
        if (field.kind === 'file') return { content: value[0], type: /\*/.test(type) ? value[0].type : type };
        if (/json/i.test(type)) parsed(value, type, field.control);
        return { content: value, type };
      }
      const values = fields.map((field) => [field.name, valueOf(field)]).filter(([, value]) => value !== undefined);
      const pairs = values.flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((each) => [name, each]) : [[name, value]],
      );
      if (/^multipart\//i.test(type)) {
        const form = new FormData();
        for (const [name, value] of pairs) {
          if (value instanceof Blob) form.append(name, value, value.name);
          else if (typeof value === 'string') form.append(name, value);
          else form.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
        }
        return { content: form };
      }
      return { content: new URLSearchParams(pairs.map(([name, value]) => [name, plain(value)])).toString(), type };
    };
    return { row, of };
  };

  /* Requests and answers */
  const requestOf = (facts, { server, security, parameters, body }) => {
    const request = { headers: new Headers({ Accept: 'application/json, */*;q=0.5' }), query: [] };
    let { path } = facts;
    for (const field of parameters) {
      const value = valueOf(field);
      if (value === undefined) continue;
      if (field.place === 'path') {
        const text = pathText(field, value);
        // Such a part would lead to another operation.
        if (/^(\.|%2e){1,2}$/i.test(text)) throw new GivenFault(filled(texts.missing, field), field.control);
        path = path.replaceAll(`{${field.name}}`, () => text);
      } else if (field.place === 'query') request.query.push(...pairsOf(field, value));
      else if (field.place === 'header') request.headers.set(field.name, joined(field.style, value));
    }
    const address = server.url() + path;
    // A path that changes the host would take secrets to another server.
    if (new URL(address).origin !== server.origin()) throw new GivenFault(filled(texts.missing, { name: '/' }));
    security.carry(request);
    const { content, type } = ['GET', 'HEAD'].includes(facts.method) ? {} : body.of();
    if (type) request.headers.set('Content-Type', type);
    const query = queryOf(request.query);
    return {
      url: address + (query === '' ? '' : `?${query}`),
      options: {
        method: facts.method,
        headers: request.headers,
        body: content,
        cache: 'no-store',
        credentials: security.sendsCookies() ? 'include' : 'omit',
        referrerPolicy: 'no-referrer',
      },
    };
  };
  /** The first bytes of an answer, and whether there are more. */
  const bytesOf = async (answer) => {
    const parts = [];
    let size = 0;
    const reader = answer.body?.getReader();
    while (reader && size <= MOST_BYTES) {
      const { done, value } = await reader.read();
      if (done) return { blob: new Blob(parts), isCut: false };
      size += value.length;
      parts.push(value);
    }
    await reader?.cancel();
    return { blob: new Blob(parts).slice(0, MOST_BYTES), isCut: size > MOST_BYTES };
  };
  /** JSON with a line for each value, as much as is shown; numbers keep all digits, which JavaScript would round. */
  const indented = (json) => {
    let shown = '';
    let depth = 0;
    const line = () => `\n${'  '.repeat(depth)}`;
    for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\{\s*\}|\[\s*\]|[^\s"{}[\],:]+|[{}[\],:]/g)) {
      if (token === '}' || token === ']') depth--;
      if (token === '{' || token === '[') shown += token + line(++depth);
      else if (token === '}' || token === ']') shown += line() + token;
      else if (token === ',') shown += token + line();
      else if (token === ':') shown += ': ';
      else shown += /^[{[]/.test(token) ? token.replace(/\s+/g, '') : token;
      if (shown.length > MOST_SHOWN) break;
    }
    return shown;
  };
  const shownText = (text, type) => {
    if (!/json/i.test(type)) return text;
    try {
      JSON.parse(text);
    } catch {
      return text;
    }
    return indented(text);
  };
  /** The parts of an answer; `link` replaces the address at which the one before could be saved. */
  const answerOf = async (answer, began, link) => {
    const type = answer.headers.get('Content-Type') ?? '';
    const { blob, isCut } = await bytesOf(answer);
    const time = Math.round(performance.now() - began);
    const isText = blob.size > 0 && /^text\/|json|xml|yaml|javascript|x-www-form-urlencoded|^$/i.test(type);
    const text = isText ? shownText(await blob.text(), type) : '';
    const isSmall = blob.size < 1024;
    const shownSize = (isSmall ? blob.size : blob.size / 1024).toLocaleString(root.lang, { maximumFractionDigits: 1 });
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const status = element('span', { className: `status status-${String(answer.status).charAt(0)}` });
    status.textContent = `${answer.status} ${answer.statusText}`.trim();
    const save = element('a', { className: 'button secondary', download: 'answer' }, texts.save);
    save.href = link(new Blob([blob], { type: SAVED_TYPES.test(type) ? type : 'application/octet-stream' }));
    const block = (title, content) => {
      const pre = element('pre', { tabIndex: 0 }, element('code', {}, content));
      pre.setAttribute('role', 'region');
      pre.setAttribute('aria-label', title);
      return pre;
    };
    return [
      element('p', {}, status, ` · ${time} ms · ${shownSize} ${isSmall ? 'B' : 'kB'}`),
      headers === ''
        ? undefined
        : element('details', {}, element('summary', {}, texts.headers), block(texts.headers, headers)),
      text === '' ? undefined : block(texts.body, text.slice(0, MOST_SHOWN)),
      isCut || text.length > MOST_SHOWN ? element('p', { className: 'console-note' }, texts.cut) : undefined,
      blob.size === 0 ? undefined : save,
    ].filter(Boolean);
  };

  const build = (facts, name) => {
    const server = serverPart(facts.servers);
    const security = securityPart(facts.security, server);
    const parameters = facts.parameters.filter(({ place }) => place !== 'cookie').map(fieldOf);
    const body = bodyPart(['GET', 'HEAD'].includes(facts.method) ? undefined : facts.body);
    server.row.addEventListener('change', () => security.load());
    const send = element('button', { type: 'submit', className: 'button primary' }, texts.send);
    const cancel = element('button', { type: 'button', className: 'button secondary', hidden: true }, texts.cancel);
    const message = element('p', { className: 'console-message' });
    message.setAttribute('role', 'status');
    const shown = element('div', { className: 'console-answer' });
    const form = element('form', { noValidate: true }, server.row, security.row);
    if (parameters.length > 0)
      form.append(
        element('fieldset', {}, element('legend', {}, texts.parameters), ...parameters.map(({ row }) => row)),
      );
    if (body.row) form.append(body.row);
    form.append(element('div', { className: 'console-actions' }, send, cancel), message);
    let running;
    let saved = '';
    const link = (blob) => {
      URL.revokeObjectURL(saved);
      saved = URL.createObjectURL(blob);
      return saved;
    };
    cancel.addEventListener('click', () => running?.abort());
    const run = async () => {
      const { url, options } = requestOf(facts, { server, security, parameters, body });
      running = new AbortController();
      message.textContent = texts.sending;
      shown.replaceChildren();
      [send.disabled, cancel.hidden] = [true, false];
      const began = performance.now();
      const answer = await fetch(url, { ...options, signal: running.signal });
      shown.replaceChildren(...(await answerOf(answer, began, link)));
      message.textContent = '';
      shown.querySelector('.status').setAttribute('role', 'status');
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
      void run()
        .catch((error) => {
          if (error instanceof GivenFault) {
            message.textContent = error.message;
            error.field?.setAttribute('aria-invalid', 'true');
            error.field?.focus();
          } else if (error.name === 'AbortError') message.textContent = texts.cancelled;
          else if (running) message.textContent = filled(texts.unreachable, { origin: location.origin });
          else message.textContent = error.message;
        })
        .finally(() => {
          running = undefined;
          [send.disabled, cancel.hidden] = [false, true];
        });
    });
    const section = element('section', { className: 'console' }, form, shown);
    section.setAttribute('aria-label', name);
    return section;
  };

  /** Opens the console of a button, or closes it. */
  window.openConsole = (button) => {
    const known = button.nextElementSibling?.classList.contains('console') ? button.nextElementSibling : undefined;
    const isOpen = known !== undefined && !known.hidden;
    if (known) known.hidden = isOpen;
    else {
      const facts = JSON.parse(button.dataset.console);
      button.after(build(facts, `${button.textContent}: ${facts.method} ${facts.path}`));
    }
    button.setAttribute('aria-expanded', String(!isOpen));
    if (!isOpen) button.nextElementSibling.querySelector('select, input, textarea, button')?.focus();
  };
})();
