import postcss, { type Rule } from 'postcss';
import Icons from 'unplugin-icons/vite';
import { defineConfig, type Plugin } from 'vite';

/**
 * The server puts its own address in place of `__APP_BASE__`, and a new nonce in place of `__CSP_NONCE__`, in every
 * answer: the finished files work at any address, without inline styles or scripts that the policy does not know.
 */
export default defineConfig({
  base: './',
  html: { cspNonce: '__CSP_NONCE__' },
  esbuild: { jsx: 'automatic' },
  // An icon is decoration, unless it has a name.
  plugins: [
    Icons({
      compiler: 'jsx',
      jsx: 'react',
      iconCustomizer: (_set, _name, icon) => void (icon['aria-hidden'] = 'true'),
    }),
    unusedStyles(),
  ],
  build: {
    target: 'es2023',
    outDir: 'dist',
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    // In kB: the icons that people choose from, and the editor, which are loaded when they are needed.
    chunkSizeWarningLimit: 1_200,
    // Libraries mark their modules for servers that render, of which there is none here.
    rollupOptions: { onwarn: (warning, warn) => void (warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning)) },
  },
  server: { proxy: { '/v1': process.env['BINDERY_URL'] ?? 'http://127.0.0.1:3000' } },
});

/** Takes the rules of components that no script uses from the styles of the library: their classes are in no script. */
function unusedStyles(): Plugin {
  const classes = /(?<![\w-])m_[0-9a-f]+/g;
  return {
    name: 'unused-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const used = new Set<string>();
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') for (const [name] of file.code.matchAll(classes)) used.add(name);
      const isUsed = (selector: string): boolean => (selector.match(classes) ?? []).every((name) => used.has(name));
      const clean = (rule: Rule): void => {
        const selectors = rule.selectors.filter(isUsed);
        if (selectors.length === 0) rule.remove();
        else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
      };
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        const styles = postcss.parse(Buffer.from(file.source).toString());
        styles.walkRules(clean);
        file.source = styles.toString();
      }
    },
  };
}
