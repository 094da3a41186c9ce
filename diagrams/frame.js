/*
 * Draws diagrams for the page that shows this one in a frame. The frame has an origin of its own, no network but its own
 * scripts, and answers with text alone, which the page shows as an image: nothing that a diagram holds acts on the page.
 */
import mermaid from './mermaid.esm.min.mjs';

const THEMES = { light: 'default', dark: 'dark' };
const CONFIGURATION = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  maxTextSize: 20_000,
  maxEdges: 500,
  // Images load no fonts, and do not show HTML in every browser.
  fontFamily: 'system-ui, sans-serif',
  htmlLabels: false,
  // A diagram cannot change these by a directive.
  secure: ['secure', 'securityLevel', 'startOnLoad', 'suppressErrorRendering', 'maxTextSize', 'maxEdges', 'htmlLabels'],
};

let drawn = 0;

/** A diagram as an image: a text of SVG with its size in pixels. */
async function draw(text, theme) {
  mermaid.initialize({ ...CONFIGURATION, theme });
  const { svg } = await mermaid.render(`diagram-${++drawn}`, text);
  // Mermaid gives HTML, and images are XML.
  const image = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  const [, , width, height] = image
    .getAttribute('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  image.removeAttribute('style');
  image.setAttribute('width', width);
  image.setAttribute('height', height);
  const title = image.querySelector(':scope > title')?.textContent ?? '';
  return { svg: new XMLSerializer().serializeToString(image), width, height, title };
}

addEventListener('message', async ({ source, data }) => {
  if (source !== parent) return;
  try {
    const [light, dark] = [await draw(data.text, THEMES.light), await draw(data.text, THEMES.dark)];
    parent.postMessage({ light, dark }, '*');
  } catch (error) {
    parent.postMessage({ fault: String(error) }, '*');
  }
});
parent.postMessage({ isReady: true }, '*');
