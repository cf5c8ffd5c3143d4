/** Line icons, drawn on a grid of 20. They stand beside words or inside labelled controls, so they are never read out. */

const paths = {
  room: 'M3.5 5.5a1.5 1.5 0 0 1 1.5-1.5h10a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3a1.5 1.5 0 0 1-1.5-1.5z',
  plan: 'M4 5h12M4 10h12M4 15h7',
  build:
    'M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.5 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15.5 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM10 6.5V10M4.5 13.5V10h11v3.5',
  ship: 'M3.5 3.5h3.5v13H3.5zM8.5 3.5H12v9H8.5zM13.5 3.5H17v6h-3.5z',
  runs: 'M3.5 10h3l2-5.5 3.5 11 2-5.5h2.5',
  team: 'M7 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 16c0-2.8 2-4.5 4.5-4.5s4.5 1.7 4.5 4.5M13 4.7a2.5 2.5 0 0 1 0 4.6M14 11.8c2 .4 3.5 2 3.5 4.2',
  settings: 'M4 6h7M15 6h1M4 14h1M9 14h7M11.5 4v4M6.5 12v4',
  plus: 'M10 4.5v11M4.5 10h11',
  minus: 'M4.5 10h11',
  fit: 'M3.5 7.5v-4h4M16.5 7.5v-4h-4M3.5 12.5v4h4M16.5 12.5v4h-4',
  wide: 'M7 6 3 10l4 4M13 6l4 4-4 4M3 10h14',
  branch:
    'M6 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 16.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 7.5v5M14 8.5c0 3-8 2-8 4',
  play: 'M7 5v10l8-5z',
  back: 'm11.5 5-5 5 5 5',
  close: 'm5.5 5.5 9 9M14.5 5.5l-9 9',
  stop: 'M6.5 6.5h7v7h-7z',
  send: 'M10 16V4.5M5.5 9 10 4.5 14.5 9',
  down: 'M10 4v11.5M5.5 11 10 15.5l4.5-4.5',
  chevron: 'm6 8 4 4 4-4',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  why: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.2v4.3M10 6.6v.1',
  warning: 'M10 3.5 17 16H3zM10 8.5v3.5M10 14v.1',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  panel: 'M3.5 4.5h13v11h-13zM12 4.5v11',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.8v1.4M10 15.8v1.4M2.8 10h1.4M15.8 10h1.4M4.9 4.9l1 1M14.1 14.1l1 1M15.1 4.9l-1 1M5.9 14.1l-1 1',
  moon: 'M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z',
  screen: 'M3.5 4.5h13v8.5h-13zM7.5 16h5M10 13v3',
  keys: 'M3 6h14v8.5H3zM6 9h.1M9 9h.1M12 9h.1M14.5 9h.1M7 11.8h6',
  handoff: 'M4 6v3.5A2.5 2.5 0 0 0 6.5 12H16M12.5 8.5 16 12l-3.5 3.5',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.5 2',
  image: 'M3.5 4.5h13v11h-13zM3.5 13l4-4 3.5 3.5 2-2 3.5 3.5M13 8h.1',
  export: 'M10 12.5V3.5M6.5 7 10 3.5 13.5 7M4 12v4.5h12V12',
  lock: 'M5.5 9h9v7.5h-9zM7.5 9V6.5a2.5 2.5 0 0 1 5 0V9',
  elsewhere: 'M11.5 3.5h5v5M16.5 3.5l-7 7M14 11.5v5H3.5V6h5',
  attach: 'm15.5 9-6 6a3.5 3.5 0 0 1-5-5l6.5-6.5a2.3 2.3 0 0 1 3.3 3.3L8 13.1a1.1 1.1 0 0 1-1.6-1.6L12 6',
  link: 'M8.5 11.5l3-3M7 9.5 5.2 11.3a2.6 2.6 0 0 0 3.6 3.6L10.5 13M13 10.5l1.8-1.8a2.6 2.6 0 0 0-3.6-3.6L9.5 7',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 28 28" width={size} height={size} fill="none" strokeWidth="2.4">
      <circle cx="10" cy="10.5" r="7" stroke="var(--gpt)" />
      <circle cx="18" cy="10.5" r="7" stroke="var(--claude)" />
      <circle cx="14" cy="17.5" r="7" stroke="var(--accent)" />
    </svg>
  )
}
