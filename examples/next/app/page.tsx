export default function Page() {
  return <h1>The product</h1>
}
