// Owns: writing a call of one of the tools as text that an agent can send as it stands.
// Must not know: which command it stands for, what the tools do.

export type ArgumentValue = string | number | boolean | readonly ArgumentObject[];
export type ArgumentObject = { readonly [name: string]: string | number };

/** `view path="src" start=10`; an undefined argument is left out. */
export function formatToolCall(
  tool: string,
  input: { readonly [name: string]: ArgumentValue | undefined },
): string {
  const parts = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(value)}`]
  );
  return [tool, ...parts].join(" ");
}

/** JSON, which is what the argument is sent as; characters that do not show are written as escapes. */
export function quote(value: ArgumentValue): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
