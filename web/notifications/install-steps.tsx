/** Shows the two steps in Safari for adding a page to a phone's home screen. */
export function InstallSteps() {
  return (
    <ol className="stack gap-4 install-steps">
      <li>
        <ShareBar />
        <span>
          <strong>1.</strong> Press Share in the browser's bar.
        </span>
      </li>
      <li>
        <ShareSheet />
        <span>
          <strong>2.</strong> Choose Add to Home Screen, then Add.
        </span>
      </li>
    </ol>
  );
}

const SHARE = "M0 4V-7m-3.5 3.5L0-7l3.5 3.5M-4.5-1H-6V7H6V-1H4.5";
const BOX_WITH_PLUS = "M-6-6H6V6H-6ZM0-3V3M-3 0H3";

/** Draws Safari's bottom bar and marks the Share button. */
function ShareBar() {
  return (
    <svg
      viewBox="0 0 176 104"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path className="install-steps__paper" d="M28-4V96q0 12 12 12h96q12 0 12-12V-4" />
      <rect className="install-steps__words" x="44" y="14" width="62" height="5" rx="2.5" />
      <rect className="install-steps__words" x="44" y="28" width="88" height="5" rx="2.5" />
      <rect className="install-steps__words" x="44" y="42" width="74" height="5" rx="2.5" />
      <path className="install-steps__sign" d="M28 60H148" />
      <path className="install-steps__sign" d="m48 76-5 6 5 6m16-12 5 6-5 6" />
      <circle className="install-steps__here" cx="92" cy="82" r="15" />
      <path className="install-steps__here-sign" transform="translate(92 82)" d={SHARE} />
      <path className="install-steps__sign" d="M118 76h12v12h-12zm4-4h12v12" />
    </svg>
  );
}

/** Draws the share sheet and marks the item to choose. */
function ShareSheet() {
  return (
    <svg
      viewBox="0 0 176 104"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path className="install-steps__paper" d="M16 110V20q0-10 10-10h124q10 0 10 10v90" />
      <rect className="install-steps__words" x="78" y="16" width="20" height="3" rx="1.5" />
      <rect className="install-steps__words" x="30" y="31" width="58" height="5" rx="2.5" />
      <path className="install-steps__sign" transform="translate(142 33)" d="M-5-5H5V5H-5Z" />
      <rect className="install-steps__here" x="22" y="46" width="132" height="24" rx="7" />
      <rect className="install-steps__here-words" x="30" y="55.5" width="76" height="5" rx="2.5" />
      <path className="install-steps__here-sign" transform="translate(142 58)" d={BOX_WITH_PLUS} />
      <rect className="install-steps__words" x="30" y="82" width="46" height="5" rx="2.5" />
      <circle className="install-steps__sign" cx="142" cy="84.5" r="5" />
    </svg>
  );
}
