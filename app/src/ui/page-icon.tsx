import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { IconifyJSON } from '@iconify-json/fa7-solid';

const STYLES = /^(?:fa-)?(?:solid|regular|light|thin|duotone|brands)[ :/]/;
const PATH = /^<path fill="currentColor" d="([^"<>]+)"\/>$/;

/** Icons are fetched when the first page with one is shown, once for all. */
const iconsQuery = {
  queryKey: ['icons'],
  staleTime: Infinity,
  gcTime: Infinity,
  queryFn: async (): Promise<readonly IconifyJSON[]> => {
    const [solid, brands] = await Promise.all([
      import('@iconify-json/fa7-solid/icons.json'),
      import('@iconify-json/fa7-brands/icons.json'),
    ]);
    return [solid.default, brands.default];
  },
};

type PageIconProps = Readonly<{ icon?: string | null; emoji?: string; fallback?: ReactNode }>;

/** The icon or emoji of a page, of the same width for all. `icon` is a name of Font Awesome. */
export function PageIcon({ icon, emoji, fallback }: PageIconProps) {
  if (emoji !== undefined)
    return (
      <span className="page-icon" aria-hidden="true">
        {emoji}
      </span>
    );
  if (icon === undefined || icon === null || icon === '') return fallback;
  return <NamedIcon name={icon.replace(STYLES, '').replace(/^fa-/, '')} fallback={fallback} />;
}

function NamedIcon({ name, fallback }: Readonly<{ name: string; fallback?: ReactNode }>) {
  const { data: sets = [] } = useQuery(iconsQuery);
  const set = sets.find(({ icons }) => Object.hasOwn(icons, name));
  const found = set?.icons[name];
  const path = found && PATH.exec(found.body)?.[1];
  if (!set || !found || path === undefined) return fallback ?? <span className="page-icon" />;
  const box = `0 0 ${found.width ?? set.width ?? 512} ${found.height ?? set.height ?? 512}`;
  return (
    <svg className="page-icon" viewBox={box} fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
