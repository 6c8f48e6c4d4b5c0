// stub
export function clientConfiguration(_client: string, _entry: string): string {
  return "";
}
