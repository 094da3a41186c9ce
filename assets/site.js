/* What makes published pages more convenient; all of them can be read and used without it. */
(() => {
  const root = document.documentElement;
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const base = root.dataset.site ?? '';
  const memory = {
    get: (key) => {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    set: (key, value) => {
      try {
        localStorage.setItem(key, value);
      } catch {
        // Readers may forbid it.
      }
    },
  };
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  /** Calls back once the browser has laid out the page: whoever asks for places before makes it do so twice. */
  const afterLayout = (callback) => {
    new window.IntersectionObserver((_, observer) => {
      observer.disconnect();
      callback();
    }).observe(root);
  };

  const afterPaint = (callback) => {
    const observer = new window.PerformanceObserver((entries) => {
      if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      callback();
    });
    observer.observe({ type: 'paint', buffered: true });
  };

  /* Light and dark */
  for (const button of all('.theme-toggle')) {
    button.addEventListener('click', () => {
      root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
      memory.set(`theme:${base}`, root.dataset.theme);
    });
  }

  /* Samples are shown in the language that a reader chose last, on every page. */
  const languageOf = (input) => input.nextElementSibling.textContent;
  const samples = () => all('.samples > input');
  const showSamplesIn = (language) => {
    for (const input of samples()) if (languageOf(input) === language) input.checked = true;
  };
  showSamplesIn(memory.get('sample-language'));
  for (const input of samples()) {
    input.addEventListener('change', () => {
      // What the reader looks at stays at its place, whatever happens to samples above it.
      const before = input.parentElement.getBoundingClientRect().top;
      memory.set('sample-language', languageOf(input));
      showSamplesIn(languageOf(input));
      window.scrollBy(0, input.parentElement.getBoundingClientRect().top - before);
    });
  }

  /* Consoles of operations are loaded once somebody opens one. */
  const { nonce } = document.currentScript ?? {};
  let consoles;
  const loadConsoles = () =>
    (consoles ??= new Promise((resolve, reject) => {
      const script = element('script', { src: root.dataset.console, nonce, onload: resolve });
      script.onerror = () => {
        consoles = undefined;
        script.remove();
        reject(new Error(script.src));
      };
      document.head.append(script);
    }));
  for (const button of all('.api-try')) {
    button.setAttribute('aria-expanded', 'false');
    button.addEventListener('click', () => void loadConsoles().then(() => window.openConsole(button), console.error));
  }
  /* A window that comes back from a sign-in tells the console that opened it, and goes. */
  const back = new URLSearchParams(location.search);
  if (back.get('state')?.startsWith('console.') && (back.has('code') || back.has('error'))) {
    const [state, code, error] = ['state', 'code', 'error'].map((name) => back.get(name) ?? undefined);
    new BroadcastChannel('api-console').postMessage({ state, code, error });
    history.replaceState(null, '', location.pathname);
    window.close();
  }

  /* Announcement */
  const banner = find('.announcement');
  if (banner) {
    const key = `announcement:${base}`;
    const close = find('button', banner);
    close.addEventListener('click', () => {
      memory.set(key, banner.dataset.key);
      banner.hidden = true;
    });
  }

  /* Menus close when something else is clicked, or on Escape */
  document.addEventListener('click', ({ target }) => {
    for (const menu of all('details.dropdown[open]')) if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of all('details.dropdown[open]')) {
      menu.open = false;
      find('summary', menu).focus();
    }
    if (location.hash === '#siteNavigation') closeDrawer();
  });

  /* The drawer of narrow screens */
  const drawer = find('#siteNavigation');
  const closeDrawer = () => {
    history.replaceState(null, '', location.pathname + location.search);
    // Only a navigation to a fragment changes what is the target.
    location.replace('#pageContent');
    find('.menu-button')?.focus();
  };
  if (drawer) {
    find('.sidebar-close')?.addEventListener('click', (event) => {
      event.preventDefault();
      closeDrawer();
    });
    document.addEventListener('click', ({ target }) => {
      if (location.hash === '#siteNavigation' && !drawer.contains(target) && !target.closest('.menu-button'))
        closeDrawer();
    });
    afterLayout(() => {
      const current = find('[aria-current=page]', drawer);
      const below = current ? current.getBoundingClientRect().top - drawer.getBoundingClientRect().top : 0;
      if (below > drawer.clientHeight - 80) drawer.scrollTop = below - drawer.clientHeight / 2;
    });
  }

  /* Where in the page one is */
  const entries = all('.outline a');
  if (entries.length > 0) {
    const targets = entries.map((entry) => document.getElementById(decodeURIComponent(entry.hash.slice(1))));
    const mark = () => {
      const line = Number.parseFloat(getComputedStyle(root).scrollPaddingBlockStart) + 8 || 100;
      let index = 0;
      targets.forEach((target, each) => {
        if (target && target.getBoundingClientRect().top <= line) index = each;
      });
      if (innerHeight + scrollY >= document.body.scrollHeight - 2) index = entries.length - 1;
      entries.forEach((entry, each) =>
        each === index ? entry.setAttribute('aria-current', 'true') : entry.removeAttribute('aria-current'),
      );
    };
    let isWaiting = false;
    addEventListener(
      'scroll',
      () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => {
          isWaiting = false;
          mark();
        });
      },
      { passive: true },
    );
    afterLayout(mark);
  }

  /* What an address leads to is shown, also where it stands in a tab that is not chosen, or in something closed */
  const reveal = () => {
    const target = find(':target');
    const hidden = target?.closest('.panel, details:not([open], .dropdown)');
    if (!hidden) return;
    for (let at = hidden; at; at = at.parentElement?.closest('.panel, details')) {
      if (at.localName === 'details') at.open = true;
      else at.previousElementSibling.previousElementSibling.checked = true;
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();

  /*
   * Diagrams are drawn by a page in a frame that has an origin of its own. Only images come from there, and their source
   * stays beside them, or in their place where a diagram has a fault.
   */
  const diagrams = all('.code[data-diagram]').slice(0, 50);
  const DRAWING_TIME = 15_000;
  const MOST_OF_IMAGE = 4 * 1024 ** 2;
  let frame;
  const answerOf = (message) =>
    new Promise((resolve) => {
      const end = (answer) => {
        clearTimeout(timer);
        removeEventListener('message', listen);
        resolve(answer);
      };
      const listen = ({ source, data }) => {
        if (source === frame.contentWindow) end(data);
      };
      const timer = setTimeout(end, DRAWING_TIME);
      addEventListener('message', listen);
      if (message) frame.contentWindow.postMessage(message, '*');
    });
  const openFrame = () => {
    frame = element('iframe', { className: 'diagram-frame', src: root.dataset.diagrams, tabIndex: -1 });
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.setAttribute('aria-hidden', 'true');
    const ready = answerOf();
    document.body.append(frame);
    return ready;
  };
  const pictureOf = ({ svg, width, height, title }, className, label) => {
    const picture = element('img', { className, alt: String(title || label), width, height });
    picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return picture;
  };
  const isPicture = (each) => typeof each?.svg === 'string' && each.svg.length <= MOST_OF_IMAGE && each.width > 0;
  const drawAll = async () => {
    let isReady = false;
    for (const block of diagrams) {
      isReady ||= Boolean(await openFrame());
      if (!isReady) break;
      const drawn = await answerOf({ text: find('code', block).textContent });
      if (isPicture(drawn?.light) && isPicture(drawn.dark)) {
        const source = element('details', { className: 'diagram-source' });
        block.replaceWith(
          element(
            'figure',
            { className: 'diagram' },
            pictureOf(drawn.light, 'only-light', block.dataset.diagram),
            pictureOf(drawn.dark, 'only-dark', block.dataset.diagram),
          ),
          source,
        );
        source.append(element('summary', { textContent: block.dataset.source }), block);
      }
      if (drawn) continue;
      // A diagram that takes too long ends with its frame.
      frame.remove();
      isReady = false;
    }
    frame.remove();
  };
  /* What draws them is large: it waits until the page is painted, and one of them is near or the reader does something. */
  const drawWhenWanted = () => {
    const wanted = new window.AbortController();
    const start = () => {
      if (wanted.signal.aborted) return;
      wanted.abort();
      void drawAll();
    };
    const near = new window.IntersectionObserver(
      (seen) => {
        if (wanted.signal.aborted) near.disconnect();
        else if (seen.some(({ isIntersecting }) => isIntersecting)) start();
      },
      { rootMargin: '25%' },
    );
    for (const block of diagrams) near.observe(block);
    for (const event of ['scroll', 'keydown', 'pointerdown', 'beforeprint'])
      addEventListener(event, start, { passive: true, signal: wanted.signal });
  };
  if (diagrams.length > 0 && root.dataset.diagrams) {
    // Browsers do not lay out what nobody sees.
    if (document.hidden) document.addEventListener('visibilitychange', drawWhenWanted, { once: true });
    else addEventListener('load', () => afterPaint(drawWhenWanted));
  }

  /* Copying: pages as Markdown, and code */
  const copy = async (button, text) => {
    await navigator.clipboard.writeText(await text);
    const label = find('span:last-child', button) ?? button;
    const before = label.textContent;
    label.textContent = root.dataset.copied;
    button.classList.add('copied');
    setTimeout(() => {
      label.textContent = before;
      button.classList.remove('copied');
    }, 1500);
  };
  if (navigator.clipboard) {
    for (const button of all('.copy-page')) {
      button.addEventListener('click', () =>
        copy(
          button,
          fetch(new URL(button.dataset.markdown).pathname).then((answer) => answer.text()),
        ),
      );
    }
    for (const button of all('.content button.copy')) {
      button.hidden = false;
      button.addEventListener('click', () => {
        const code = find('code', button.closest('.code'));
        if (code) void copy(button, code.textContent);
      });
    }
  }

  /* Players of other services, which are asked for nothing before */
  for (const button of all('.content .player-start')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const address = new URL(button.dataset.player);
      address.searchParams.set('autoplay', '1');
      const caption = find('figcaption', button.closest('figure') ?? button)?.textContent;
      const frame = element('iframe', {
        src: address.href,
        title: caption ? `${button.dataset.title}: ${caption}` : button.dataset.title,
        allow: 'autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture',
        // Players refuse to play for pages that they do not know; the site's pages themselves send no referrer.
        referrerPolicy: 'strict-origin-when-cross-origin',
      });
      frame.sandbox = 'allow-scripts allow-same-origin allow-popups allow-forms allow-presentation';
      button.replaceWith(frame);
      frame.focus();
    });
  }

  /* Feedback without leaving the page: each step is taken from the page that follows without scripts */
  const takeFeedback = (form) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const body = new URLSearchParams(new FormData(form, event.submitter));
      void fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } })
        .then(async (answer) => {
          const step = find('.feedback', new DOMParser().parseFromString(await answer.text(), 'text/html'));
          if (!answer.ok || !step) return;
          form.replaceWith(document.adoptNode(step));
          if (step.localName === 'form') takeFeedback(step);
          (find('textarea', step) ?? step).focus();
        })
        // Readers may send it again.
        .catch(() => undefined);
    });
  };
  all('form.feedback').forEach(takeFeedback);

  /* Questions beside the page */
  const opener = find('.ask-link');
  if (opener && 'HTMLDialogElement' in window) {
    const close = element('button', { className: 'button-plain', type: 'button' });
    close.append(
      find('#shortcuts .i-close').cloneNode(true),
      element('span', { className: 'visually-hidden', textContent: opener.dataset.close }),
    );
    const status = element('p', { className: 'ask-status' });
    status.setAttribute('role', 'status');
    const body = element('div');
    const panel = element('dialog', { className: 'ask-panel' }, close, status, body);
    panel.setAttribute('aria-label', opener.textContent);
    document.body.append(panel);
    let asked = 0;
    const load = async (address) => {
      const number = ++asked;
      status.textContent = opener.dataset.waiting;
      const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => undefined);
      const made = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined;
      if (number !== asked) return;
      const parts = made ? [find('form.ask', made), find('section.answer', made)] : [];
      if (parts.length === 0 || parts.includes(null)) {
        location.assign(address);
        return;
      }
      status.textContent = '';
      body.replaceChildren(...parts.map((part) => document.adoptNode(part)));
      const [form, found] = parts;
      if (new URL(address, location.href).searchParams.get('q')) {
        found.tabIndex = -1;
        found.focus();
      } else find('input', form).focus();
    };
    opener.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      panel.showModal();
      if (body.childElementCount === 0) void load(opener.href);
    });
    close.addEventListener('click', () => panel.close());
    panel.addEventListener('click', (event) => {
      if (event.target === panel) panel.close();
      const link = event.target.closest('.answer-next a');
      if (!link) return;
      event.preventDefault();
      void load(link.href);
    });
    panel.addEventListener('submit', (event) => {
      event.preventDefault();
      void load(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
    });
  }

  /* Shortcuts. Those of a single key get in the way of readers who speak to their machine, and can be switched off */
  const shortcuts = find('#shortcuts');
  const singleKeys = find('input', shortcuts);
  singleKeys.checked = memory.get('single-keys') !== 'off';
  singleKeys.addEventListener('change', () => memory.set('single-keys', singleKeys.checked ? 'on' : 'off'));
  find('.shortcuts-button')?.addEventListener('click', () => shortcuts.showModal());
  find('button', shortcuts).addEventListener('click', () => shortcuts.close());
  const isSingleKey = (event) =>
    singleKeys.checked &&
    !(event.ctrlKey || event.metaKey || event.altKey) &&
    !event.target.closest('input, textarea, select, [contenteditable], dialog');
  document.addEventListener('keydown', (event) => {
    if (!isSingleKey(event)) return;
    if (event.key === '?') shortcuts.showModal();
    else if (event.key === 'n') find('.pager-next')?.click();
    else if (event.key === 'p') find('.pager-previous')?.click();
  });

  /* Search as one types */
  const form = find('.search');
  const input = form && find('input', form);
  if (input) {
    const list = element('div', { className: 'search-results', id: 'searchResults', hidden: true });
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', input.getAttribute('aria-label'));
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'searchResults',
      'aria-autocomplete': 'list',
    }))
      input.setAttribute(name, value);
    form.append(list);
    let asked = 0;
    let timer = 0;
    let chosen = -1;
    const hits = () => all('.hit', list);
    const show = (isShown) => {
      list.hidden = !isShown;
      input.setAttribute('aria-expanded', String(isShown));
      if (!isShown) choose(-1);
    };
    const choose = (index) => {
      chosen = index;
      hits().forEach((hit, each) => hit.setAttribute('aria-selected', String(each === index)));
      const hit = hits()[index];
      hit?.scrollIntoView({ block: 'nearest' });
      if (hit) input.setAttribute('aria-activedescendant', hit.id);
      else input.removeAttribute('aria-activedescendant');
    };
    const marked = (text, words) => {
      const found = element('span');
      const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
      const parts = pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'giu'));
      parts.forEach((part, index) => found.append(index % 2 === 1 ? element('mark', { textContent: part }) : part));
      return found;
    };
    const hitOf = ({ href, title, place, text, isSection, space, page }, index, words, query) => {
      const hit = element('a', {
        className: isSection ? 'hit hit-section' : 'hit',
        href,
        id: `hit-${index}`,
        tabIndex: -1,
      });
      hit.setAttribute('role', 'option');
      // Searches are counted with what was opened; the page that is left could not say so any more.
      if (!script)
        hit.addEventListener('click', () =>
          navigator.sendBeacon(form.action, new URLSearchParams({ q: query, space, page })),
        );
      if (place) hit.append(element('span', { className: 'hit-place', textContent: place }));
      const heading = marked(title, words);
      heading.className = 'hit-title';
      hit.append(heading);
      if (text) {
        const excerpt = marked(text, words);
        excerpt.className = 'hit-text';
        hit.append(excerpt);
      }
      return hit;
    };
    const leadingHit = (kind, { href, title }) => {
      const hit = element('a', { className: `hit hit-${kind}`, href, id: `hit-${kind}`, tabIndex: -1 });
      hit.setAttribute('role', 'option');
      hit.append(element('span', { className: 'hit-title', textContent: title }));
      return hit;
    };
    /* A site of files has an index, and a script that reads it */
    const { script, integrity, none } = form.dataset;
    let loading;
    const searchFiles = async (query) => {
      loading ??= new Promise((resolve, reject) => {
        document.head.append(element('script', { src: script, integrity, onload: resolve, onerror: reject }));
      });
      await loading;
      const from = new FormData(form).get('from');
      return { message: none, ...(await window.searchSite(new URL(form.action).pathname, query, from)) };
    };
    const searchService = async () => {
      const answer = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`, {
        headers: { Accept: 'application/json' },
      });
      return answer.ok ? answer.json() : undefined;
    };
    const search = (query) => (script ? searchFiles : searchService)(query).catch(() => undefined);
    const itemsOf = ({ hits: found, words, message }, query) =>
      found.length > 0
        ? found.map((each, index) => hitOf(each, index, words, query))
        : [element('p', { textContent: message })];
    const ask = async () => {
      const query = input.value.trim();
      const number = ++asked;
      if (query === '') return show(false);
      const found = await search(query);
      if (!found || number !== asked) return undefined;
      const { ask: about, scope } = found;
      list.replaceChildren(
        ...(about ? [leadingHit('ask', { ...about, title: `${about.title}: ${query}` })] : []),
        ...itemsOf(found, query),
        ...(scope ? [leadingHit('scope', scope)] : []),
      );
      choose(-1);
      show(true);
    };
    /* The page of results of a site of files has none before */
    const sought = new URLSearchParams(location.search).get('q')?.trim().slice(0, input.maxLength);
    if (script && sought && location.pathname === new URL(form.action).pathname) {
      input.value = sought;
      const results = element('div', { className: 'results' });
      find('.page-plain').append(results);
      void search(sought).then((found) => {
        if (!found) return;
        results.append(...itemsOf(found, sought));
        for (const hit of all('.hit', results)) {
          hit.removeAttribute('role');
          hit.removeAttribute('id');
          hit.tabIndex = 0;
        }
      });
    }
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(ask, 120);
    });
    input.addEventListener('focus', () => {
      if (list.childElementCount > 0 && input.value.trim() !== '') show(true);
    });
    form.addEventListener('focusout', ({ relatedTarget }) => {
      if (!form.contains(relatedTarget)) show(false);
    });
    list.addEventListener('mousedown', (event) => event.preventDefault());
    input.addEventListener('keydown', (event) => {
      const count = hits().length;
      if (event.key === 'Escape') {
        if (list.hidden) input.blur();
        show(false);
        event.stopPropagation();
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
        event.preventDefault();
        show(true);
        choose((chosen + (event.key === 'ArrowDown' ? 1 : chosen < 0 ? 0 : -1) + count) % count);
      } else if (event.key === 'Enter' && chosen >= 0) {
        event.preventDefault();
        hits()[chosen]?.click();
      }
    });
    document.addEventListener('keydown', (event) => {
      if (
        (event.key === '/' && isSingleKey(event)) ||
        (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey))
      ) {
        event.preventDefault();
        input.focus();
        input.select();
      }
    });
  }
})();
