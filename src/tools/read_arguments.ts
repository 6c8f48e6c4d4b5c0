// Owns: the lenient reading of arguments: other names, numbers as text, JSON as text, and one clear error.
// Must not know: any single tool, paths, files.

import type { Field, FieldSchema, InputOf } from "./arguments.ts";

export type ReadArguments<Fields extends FieldSchema> =
  | { readonly kind: "ok"; readonly input: InputOf<Fields>; readonly hints: readonly string[] }
  /** One sentence for each field that is wrong. */
  | { readonly kind: "error"; readonly message: string };

type FieldResult =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "fault"; readonly fault: string };

/** Turns what a client sent into the typed input, or says which field is wrong, what it got and what to send. */
export function readArguments<Fields extends FieldSchema>(
  fields: Fields,
  raw: unknown,
): ReadArguments<Fields> {
  const record = asRecord(raw);
  if (record === undefined) {
    return { kind: "error", message: `Arguments must be an object, not ${describe(raw)}.` };
  }
  const hints: string[] = [];
  const faults: string[] = [];
  const input = readRecord({ fields, record, where: "" }, { hints, faults });
  if (faults.length > 0) return { kind: "error", message: faults.join("\n") };
  return { kind: "ok", input: input as InputOf<Fields>, hints };
}

interface Reading {
  readonly fields: FieldSchema;
  readonly record: { readonly [name: string]: unknown };
  /** Prefix of field names in messages, e.g. `operations[2].`. */
  readonly where: string;
}

interface Findings {
  readonly hints: string[];
  readonly faults: string[];
}

function readRecord({ fields, record, where }: Reading, findings: Findings): object {
  const input: { [name: string]: unknown } = {};
  const used = new Set<string>();
  for (const [name, field] of Object.entries(fields)) {
    const sentName = [name, ...field.aliases ?? []].find((one) => isPresent(record, one, field));
    if (sentName === undefined) {
      if (!field.optional) findings.faults.push(missingFault({ name, field, where, record }));
      continue;
    }
    used.add(sentName);
    const place = where + name;
    const result = readField(record[sentName], { field, place, findings });
    if (result.kind === "value") input[name] = result.value;
    else findings.faults.push(`\`${place}\` ${result.fault}`);
  }
  const known = new Set(
    Object.entries(fields).flatMap(([name, { aliases }]) => [name, ...aliases ?? []]),
  );
  const unknown = Object.keys(record).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `\`${where}${name}\``).join(", ");
    const choices = Object.keys(fields).map((name) => `\`${name}\``).join(", ");
    findings.hints.push(`Unknown argument ${names} was ignored; known are ${choices}.`);
  }
  return input;
}

/** `null` for an optional field is absent, and so is empty text for an optional number or flag. */
function isPresent(
  record: { readonly [name: string]: unknown },
  name: string,
  field: Field,
): boolean {
  if (!Object.hasOwn(record, name) || record[name] === undefined) return false;
  const value = record[name];
  if (value === null) {
    return !field.optional && field.aliases?.some((alias) => record[alias] != null) !== true;
  }
  const textual = field.type === "string";
  return !(field.optional && !textual && typeof value === "string" && value.trim() === "");
}

function readField(
  value: unknown,
  { field, place, findings }: { field: Field; place: string; findings: Findings },
): FieldResult {
  switch (field.type) {
    case "string": {
      const result = readText(value, field.accepts);
      if (result.kind === "value" && typeof value === "object" && value !== null) {
        findings.hints.push(
          `\`${place}\` arrived as JSON data, not text, and was written as 2-space JSON; ` +
            "key order, number spelling and duplicate keys of the original text cannot be known.",
        );
      }
      if (result.kind === "fault" || field.enum === undefined) return result;
      return readChoice(String(result.value), field.enum);
    }
    case "integer":
      return readInteger(value, field);
    case "boolean":
      return readBoolean(value);
    case "array":
      return readArray(value, { field, place, findings });
  }
}

function readText(value: unknown, accepts: "json" | "number" | undefined): FieldResult {
  if (typeof value === "string") return { kind: "value", value };
  if (typeof value === "number" || typeof value === "boolean") {
    return { kind: "value", value: String(value) };
  }
  if (accepts === "json" && typeof value === "object" && value !== null) {
    return { kind: "value", value: JSON.stringify(value, null, 2) + "\n" };
  }
  return { kind: "fault", fault: `must be text (a string), not ${describe(value)}.` };
}

function readChoice(value: string, choices: readonly string[]): FieldResult {
  const chosen = choices.find((choice) => choice === value.trim().toLowerCase());
  if (chosen !== undefined) return { kind: "value", value: chosen };
  const list = choices.map((choice) => `"${choice}"`).join(", ");
  return { kind: "fault", fault: `must be one of ${list}, not ${describe(value)}.` };
}

function readInteger(
  value: unknown,
  { minimum, maximum }: { readonly minimum?: number; readonly maximum?: number },
): FieldResult {
  const text = typeof value === "string" ? value.trim() : "";
  const number = /^[+-]?\d+(?:\.0+)?$/.test(text) ? Number(text) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) {
    return { kind: "fault", fault: `must be an integer, not ${describe(value)}.` };
  }
  if ((minimum !== undefined && number < minimum) || (maximum !== undefined && number > maximum)) {
    const range = maximum === undefined
      ? `at least ${minimum}`
      : `from ${minimum ?? 0} to ${maximum}`;
    return { kind: "fault", fault: `must be ${range}, not ${number}.` };
  }
  return { kind: "value", value: number };
}

function readBoolean(value: unknown): FieldResult {
  if (typeof value === "boolean") return { kind: "value", value };
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (text === "true" || value === 1 || text === "1") return { kind: "value", value: true };
  if (text === "false" || value === 0 || text === "0") return { kind: "value", value: false };
  return { kind: "fault", fault: `must be true or false, not ${describe(value)}.` };
}

function readArray(
  value: unknown,
  { field, place, findings }: {
    field: Extract<Field, { type: "array" }>;
    place: string;
    findings: Findings;
  },
): FieldResult {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  // One operation sent without its brackets is still clear.
  const items = asRecord(parsed) !== undefined ? [parsed] : parsed;
  if (!Array.isArray(items)) {
    return { kind: "fault", fault: `must be an array of objects, not ${describe(value)}.` };
  }
  if (field.maxItems !== undefined && items.length > field.maxItems) {
    return {
      kind: "fault",
      fault:
        `holds ${items.length} items; at most ${field.maxItems} fit in one call, send the rest in another.`,
    };
  }
  const list: object[] = [];
  items.forEach((item, index) => {
    const record = asRecord(typeof item === "string" ? parseJson(item) : item);
    const where = `${place}[${index}]`;
    if (record === undefined) {
      findings.faults.push(`\`${where}\` must be an object, not ${describe(item)}.`);
    } else list.push(readRecord({ fields: field.items, record, where: `${where}.` }, findings));
  });
  return { kind: "value", value: list };
}

function missingFault(
  { name, field, where, record }: {
    name: string;
    field: Field;
    where: string;
    record: { readonly [name: string]: unknown };
  },
): string {
  const sent = Object.keys(record);
  const got = sent.length === 0
    ? "no arguments at all"
    : sent.map((one) => `\`${one}\``).join(", ");
  return `\`${where}${name}\` is missing (got ${got}). Send it: ${field.description}`;
}

function asRecord(value: unknown): { readonly [name: string]: unknown } | undefined {
  if (value === undefined || value === null) return value === undefined ? {} : undefined;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return value as { readonly [name: string]: unknown };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The kind of a value and its beginning, for an error. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value === "string") {
    const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
    return value === "" ? "empty text" : `the text ${JSON.stringify(shown)}`;
  }
  return `the ${typeof value} ${String(value)}`;
}
