/*
 * npm run --silent sbom
 *
 * Prints a CycloneDX document of the shipped packages: that of `npm sbom`, without the packages that only development
 * needs. npm's own --omit=dev also leaves out packages that both need, and without it npm marks these as needed by
 * development alone. Licences that npm does not find come from licenses.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const DEVELOPMENT = 'cdx:npm:package:development';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const declared = JSON.parse(readFileSync(new URL('licenses.json', import.meta.url), 'utf8'));
const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** By name and version, whether the service needs it on every machine. */
const shipped = new Map();
for (const [path, { version, link, dev, devOptional, optional = false }] of Object.entries(packages)) {
  // Beside the packages that were installed stand the service and the workspace themselves.
  if (!path.includes('node_modules/') || link || dev || devOptional) continue;
  const key = `${nameAt(path)}@${version}`;
  shipped.set(key, shipped.get(key) === true || !optional);
}

function shippedComponent({ properties = [], ...component }) {
  const { license } = declared[component.name] ?? {};
  return {
    ...component,
    scope: shipped.get(`${component.name}@${component.version}`) ? 'required' : 'optional',
    properties: properties.filter(({ name }) => name !== DEVELOPMENT),
    ...(component.licenses === undefined && license !== undefined && { licenses: [{ license: { id: license } }] }),
  };
}

const bom = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const components = bom.components
  .filter(({ name, version }) => shipped.has(`${name}@${version}`))
  .map(shippedComponent);
const nameless = components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name);
if (nameless.length > 0)
  throw new Error(
    `no licence is known of ${nameless.join(', ')}: read their files and add them to scripts/licenses.json`,
  );
const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
bom.metadata.component.name = 'bindery';
process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
