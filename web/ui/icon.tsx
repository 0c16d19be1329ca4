/* On a 24 × 24 grid with a stroke of 1.75. Paths are short, because documents inline them. */
const FORM_PATHS = {
  arrow: "M5 12h14M13 6l6 6-6 6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m6 9 6 6 6-6",
  pin: "M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  plus: "M12 5v14M5 12h14",
} as const;

const PATHS = {
  ...FORM_PATHS,
  back: "M19 12H5m6 6-6-6 6-6",
  badge: "M12 3 5 6v5c0 4.5 2.9 8.4 7 10 4.1-1.6 7-5.5 7-10V6zM9 12l2 2 4-4",
  board: "M4 4h4.5v16H4zM9.75 4h4.5v11h-4.5zM15.5 4H20v7h-4.5z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4m8-4v4",
  chart: "M4 20h16M6.5 20v-6m5.5 6V5m5.5 15v-9",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4v5l3 2",
  close: "M6 6l12 12M18 6 6 18",
  coin: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm2.5 5.5C14 7.6 13 7.3 12 7.3c-1.5 0-2.7.8-2.7 2.2 0 3 5.5 1.6 5.5 4.7 0 1.5-1.3 2.5-2.8 2.5-1.3 0-2.4-.5-3-1.5M12 5.5v13",
  download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  hedge: "M4 20v-7a4 4 0 0 1 8 0v7m0-9a4 4 0 0 1 8 0v9M3 20h18",
  leaf: "M5 19c0-9 5-14 15-14 0 9-5 14-12 14-1.5 0-3-.5-3-2M5 20c2-5 5-8 9-10",
  mail: "M3 6h18v12H3zm0 1 9 7 9-7",
  menu: "M4 7h16M4 12h16M4 17h16",
  message: "M4 5h16v11H10l-4 4v-4H4z",
  more: "M5 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zm7 0a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zm7 0a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1z",
  mower:
    "M3 4h3l5 9h8a2 2 0 0 1 2 2v2h-3M11 13l-4 1M4 17.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0m9 0a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0m0 0H9",
  phone: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z",
  rake: "M12 3v11M5 14h14M5 14v6m3.5-6v6m3.5-6v6m3.5-6v6m3.5-6v6",
  refresh: "M20 12a8 8 0 1 1-2.4-5.7M20 3v4.5h-4.5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4.5 4.5",
  skip: "M3 9h18l-3 10H6zM7 9V6h6v3m-8 4h14",
  sliders: "M3 7h9m5 0h4M3 17h4m5 0h9M14.5 4.5v5M9.5 14.5v5",
  spray: "M4 21v-8h7v8zm1-8V9h5v4M7 9V5h5l2 2M17 6h.01M20 4h.01M20 8h.01",
  star: "m12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3 1.2-6.2L3 9.5l6.3-.8z",
  team: "M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6.5 8c.4-3.2 2.8-5 6.5-5s6.1 1.8 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.4m2.5 3.9c1.8.7 2.8 2.3 3 4.4",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 9c.5-4 3.5-6 8-6s7.5 2 8 6",
} as const;

export type IconName = keyof typeof PATHS;

type IconProps<Name> = { name: Name; size?: number; filled?: boolean };

function Drawing({ path, size = 22, filled }: Omit<IconProps<never>, "name"> & { path: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** Shows a decorative icon beside text, hidden from screen readers. */
export function Icon({ name, ...rest }: IconProps<IconName>) {
  return <Drawing path={PATHS[name]} {...rest} />;
}

/** Shows one of the few icons of visitors' forms, whose scripts then load no others. */
export function FormIcon({ name, ...rest }: IconProps<keyof typeof FORM_PATHS>) {
  return <Drawing path={FORM_PATHS[name]} {...rest} />;
}
