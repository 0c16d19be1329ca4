export function DashboardLink() {
  return (
    <a href="/dashboard" className="bar__logo">
      <img src="/favicon.svg" alt="" width="32" height="32" />
      <span>Naturestrip</span>
    </a>
  );
}
