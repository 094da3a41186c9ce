// @ts-check
import { message } from './messages.js';

/** @import { Host } from 'bindery/workspace' */

const SETTINGS = '/v1/orgs/{organizationId}/announcement-settings';

/**
 * The section among the settings of an organization: how long announcements stay that say nothing of their end.
 *
 * @param {HTMLElement} element
 * @param {Host} host
 */
export async function mount(element, host) {
  const path = { organizationId: host.place.organizationId ?? '' };
  const { body } = await host.request('get', SETTINGS, { path });
  const { endsAfterDays } = /** @type {{ endsAfterDays: number }} */ (body);
  const form = document.createElement('form');
  const label = document.createElement('label');
  const days = document.createElement('input');
  Object.assign(days, { type: 'number', min: '0', max: '365', required: true, value: String(endsAfterDays) });
  label.append('Days after which announcements end (0: never)', days);
  const save = Object.assign(document.createElement('button'), { textContent: 'Save', className: 'primary' });
  const note = document.createElement('p');
  note.setAttribute('role', 'status');
  form.append(label, save, note);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void store();
  });
  element.append(form);

  async function store() {
    note.textContent = '';
    try {
      await host.request('put', SETTINGS, { path, body: { endsAfterDays: days.valueAsNumber } });
      host.toast('The settings of announcements are saved.');
    } catch (error) {
      note.textContent = message(error);
    }
  }
}
