export default function HomePage() {
  return <h1>Naturestrip</h1>;
}
