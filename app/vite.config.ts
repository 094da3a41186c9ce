import Icons from 'unplugin-icons/vite';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

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
    // The server writes into index.html, so it has no finished copies.
    compression({ include: /\.(?:js|css|svg|json)$/, threshold: 0, skipIfLargerOrEqual: false, logLevel: 'silent' }),
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
