// @ts-check
import { message } from './messages.js';

/**
 * @import { Host, RequestFault } from 'bindery/workspace'
 * @typedef {{ id: string, title: string, text: string, endsAt?: string, createdAt: string }} Announcement
 * @typedef {{ items: Announcement[], next?: { page: string } }} Listed
 */

const LIST = '/v1/orgs/{organizationId}/announcements';
const ONE = `${LIST}/{announcementId}`;

/**
 * The screen of an organization's announcements: members read them, editors write and end them.
 *
 * @param {HTMLElement} element
 * @param {Host} host
 */
export async function mount(element, host) {
  const path = { organizationId: host.place.organizationId ?? '' };
  const organization = await host.request('get', '/v1/orgs/{organizationId}', { path });
  const { permissions } = /** @type {{ permissions: Record<string, boolean> }} */ (organization.body);
  const mayWrite = permissions['announce'] === true;
  const list = document.createElement('section');
  list.setAttribute('aria-label', 'All announcements');
  const more = button('More', () => void show(next));
  /** @type {string | undefined} */
  let next;

  /** @param {string} [page] */
  async function show(page) {
    const { body } = await host.request('get', LIST, { path, query: { page, limit: 20 } });
    const { items, next: following } = /** @type {Listed} */ (body);
    if (page === undefined) list.replaceChildren();
    list.append(...items.map(card));
    if (list.childElementCount === 0) list.append(text('p', 'Nothing is announced.'));
    next = following?.page;
    more.hidden = next === undefined;
  }

  /** @param {Announcement} announcement */
  function card({ id, title, text: words, endsAt, createdAt }) {
    const article = document.createElement('article');
    const time = new Intl.DateTimeFormat(host.language, { dateStyle: 'medium', timeStyle: 'short' });
    const ends = endsAt === undefined ? '' : ` · ends ${time.format(new Date(endsAt))}`;
    article.append(text('h2', title), text('p', words), text('small', time.format(new Date(createdAt)) + ends));
    if (mayWrite) article.append(button('End', () => void end(id, title), `End “${title}”`));
    return article;
  }

  /**
   * @param {string} announcementId
   * @param {string} title
   */
  async function end(announcementId, title) {
    const question = { title: `End “${title}”?`, text: 'Nobody sees it any more.', action: 'End', isDangerous: true };
    if (!(await host.confirm(question))) return;
    try {
      await host.request('delete', ONE, { path: { ...path, announcementId } });
      host.toast('The announcement is ended.');
      await show();
    } catch (error) {
      host.showFault(error);
    }
  }

  await show();
  if (mayWrite) element.append(form(host, path, () => show()));
  element.append(list, more);
}

/**
 * The form that posts an announcement; faults stand at their fields.
 *
 * @param {Host} host
 * @param {{ organizationId: string }} path
 * @param {() => Promise<void>} onPosted
 */
function form(host, path, onPosted) {
  const made = document.createElement('form');
  const title = field('Title', document.createElement('input'), 'title');
  const words = field('Text', document.createElement('textarea'), 'text');
  const end = field('Ends on (empty: never)', document.createElement('input'), 'endsAt');
  title.input.required = words.input.required = true;
  end.input.setAttribute('type', 'date');
  const post = button('Announce');
  post.className = 'primary';
  const note = document.createElement('p');
  note.setAttribute('role', 'status');
  made.append(title.label, words.label, end.label, post, note);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });

  async function send() {
    post.disabled = true;
    note.textContent = '';
    const body = {
      title: title.input.value,
      text: words.input.value,
      ...(end.input.value !== '' && { endsAt: new Date(`${end.input.value}T23:59:59`).toISOString() }),
    };
    try {
      await host.request('post', LIST, { path, body });
      made.reset();
      host.toast('The announcement is posted.');
      await onPosted();
    } catch (error) {
      const { details = [] } = /** @type {RequestFault} */ (error);
      note.textContent = [message(error), ...details.map((detail) => `${detail.path}: ${detail.message}`)].join(' ');
    } finally {
      post.disabled = false;
    }
  }
  return made;
}

/**
 * @template {HTMLInputElement | HTMLTextAreaElement} Input
 * @param {string} name
 * @param {Input} input
 * @param {string} key
 */
function field(name, input, key) {
  const label = document.createElement('label');
  input.name = key;
  label.append(name, input);
  return { label, input };
}

/**
 * @param {string} tag
 * @param {string} words
 */
function text(tag, words) {
  const made = document.createElement(tag);
  made.textContent = words;
  return made;
}

/**
 * @param {string} label
 * @param {() => void} [onClick]
 * @param {string} [name]
 */
function button(label, onClick, name) {
  const made = document.createElement('button');
  made.textContent = label;
  if (name !== undefined) made.setAttribute('aria-label', name);
  if (onClick) {
    made.type = 'button';
    made.addEventListener('click', onClick);
  }
  return made;
}
