/** Shows the logo: our name, with a strip of grass between footpath and kerb. */
export function Logo() {
  return (
    <a className="logo" href="/">
      <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#6fb04f" />
        <path d="M6.5 0h6.3v32H6.5zM19.2 0h6.3v32h-6.3z" fill="#4f8f38" />
        <path d="M0 23h32v2a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#d9dad2" />
        <path d="M10 20V8.5h3.6l5.2 7V8.5h3.2V20h-3.2l-5.5-7.3V20z" fill="#fff" />
      </svg>
      Naturestrip
    </a>
  );
}
