// Owns: the lenient reading of arguments: other names, numbers as text, JSON as text, and one clear error.
// Must not know: any single tool, paths, files.

import { cutPrefix } from "../text/excerpt.ts";
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
  const { input, unknown } = readRecord({ fields, record, where: "" }, { hints, faults });
  if (unknown.length > 0) hints.push(unknownHint(unknown, { fields, where: "" }));
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

interface ReadRecord {
  readonly input: { [name: string]: unknown };
  /** Names that are no field and no other name of one. */
  readonly unknown: readonly string[];
}

function readRecord({ fields, record, where }: Reading, findings: Findings): ReadRecord {
  const input: { [name: string]: unknown } = {};
  for (const [name, field] of Object.entries(fields)) {
    const [sentName, ...ignored] = [name, ...field.aliases ?? []]
      .filter((one) => isPresent(record, one, field));
    if (sentName === undefined) {
      if (!field.optional) findings.faults.push(missingFault({ name, field, where, record }));
      continue;
    }
    const place = where + name;
    for (const other of ignored.filter((one) => record[one] !== record[sentName])) {
      findings.hints.push(
        `\`${where}${other}\` is another name for \`${name}\`; \`${sentName}\` was used.`,
      );
    }
    const result = readField(record[sentName], { field, place, findings });
    if (result.kind === "value") input[name] = result.value;
    else {
      const sentAs = sentName === name ? "" : ` (sent as \`${sentName}\`)`;
      findings.faults.push(`\`${place}\`${sentAs} ${result.fault}`);
    }
  }
  const known = new Set(
    Object.entries(fields).flatMap(([name, { aliases }]) => [name, ...aliases ?? []]),
  );
  return { input, unknown: Object.keys(record).filter((name) => !known.has(name)) };
}

function unknownHint(
  unknown: readonly string[],
  { fields, where }: { readonly fields: FieldSchema; readonly where: string },
): string {
  const choices = listNames(Object.keys(fields), "");
  return `Unknown argument ${listNames(unknown, where)} was ignored; known are ${choices}.`;
}

const MOST_NAMES = 20;

function listNames(names: readonly string[], where: string): string {
  const listed = names.slice(0, MOST_NAMES).map((name) => `\`${where}${shorten(name)}\``);
  const rest = names.length - listed.length;
  return listed.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
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
      if (result.kind === "value" && field.accepts === "json" && typeof value !== "string") {
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
  if (typeof value === "string") return readString(value);
  if (accepts === "json" && value !== null) {
    return { kind: "value", value: JSON.stringify(value, null, 2) + "\n" };
  }
  if (typeof value === "number" || typeof value === "boolean") {
    return { kind: "value", value: String(value) };
  }
  return {
    kind: "fault",
    fault: `must be text (one string, lines separated by newlines), not ${describe(value)}.`,
  };
}

/** Half of a surrogate pair is no character: written to a file it would become U+FFFD. */
function readString(value: string): FieldResult {
  if (value.isWellFormed()) return { kind: "value", value };
  const at = value.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  const unit = value.charCodeAt(at).toString(16).toUpperCase();
  return {
    kind: "fault",
    fault: `holds half a character, the lone surrogate U+${unit}, at offset ${at}. ` +
      `Send the whole character, or the six characters \\u${unit.toLowerCase()} if an escape was meant.`,
  };
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
    const reason = typeof value === "string" && /^\s*[[{]/.test(value)
      ? ", which is not complete JSON"
      : "";
    return {
      kind: "fault",
      fault: `must be an array of objects, not ${describe(value)}${reason}.`,
    };
  }
  if (field.maxItems !== undefined && items.length > field.maxItems) {
    return {
      kind: "fault",
      fault:
        `holds ${items.length} items; at most ${field.maxItems} fit in one call, send the rest in another.`,
    };
  }
  const list: ItemInput[] = [];
  items.forEach((item, index) => {
    const record = asRecord(typeof item === "string" ? parseJson(item) : item);
    const where = `${place}[${index}]`;
    if (record === undefined) {
      findings.faults.push(`\`${where}\` must be an object, not ${describe(item)}.`);
    } else list.push(readItem({ fields: field.items, record, where: `${where}.` }, findings));
  });
  return { kind: "value", value: list };
}

interface ItemInput {
  readonly [name: string]: unknown;
  readonly unknown?: readonly string[];
}

/** An unknown name that may stand for a bound goes to the tool, which must not guess; the rest is named in a hint. */
function readItem(reading: Reading, findings: Findings): ItemInput {
  const { fields, record, where } = reading;
  const { input, unknown } = readRecord(reading, findings);
  const doubtful = unknown.filter((name) => mayBeBound(record[name]));
  const harmless = unknown.filter((name) => !mayBeBound(record[name]));
  if (harmless.length > 0) findings.hints.push(unknownHint(harmless, { fields, where }));
  return doubtful.length === 0 ? input : { ...input, unknown: doubtful.map(shorten) };
}

/** A line, or a range of two, and nothing else: prose that names a line is no bound. */
const BOUND = /^\W*L?\d+(?::[0-9a-f]{2})?(?:\W+(?:to\W+)?L?\d+(?::[0-9a-f]{2})?)?\W*$/i;

function mayBeBound(value: unknown): boolean {
  if (typeof value === "string") return value.length < 100 && BOUND.test(value);
  return typeof value === "number" || (typeof value === "object" && value !== null);
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
  const got = sent.length === 0 ? "no arguments at all" : listNames(sent, "");
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
    return value === "" ? "empty text" : `the text ${JSON.stringify(shorten(value))}`;
  }
  return `the ${typeof value} ${String(value)}`;
}

function shorten(text: string): string {
  return text.length > 40 ? `${cutPrefix(text, 40)}…` : text;
}
