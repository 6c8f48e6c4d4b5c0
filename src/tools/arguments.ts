// Owns: the published shape of a tool's arguments and the lenient reading of what a client sent.
// Must not know: any single tool, paths, files.

interface FieldBase {
  readonly description: string;
  readonly optional?: true;
  /** Other names models use for this field; the canonical name wins. */
  readonly aliases?: readonly string[];
}

export interface StringField extends FieldBase {
  readonly type: "string";
  readonly enum?: readonly string[];
  /** `json`: an object or array sent for this text is written as 2-space JSON. `number`: a number is its text. */
  readonly accepts?: "json" | "number";
}

export interface IntegerField extends FieldBase {
  readonly type: "integer";
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BooleanField extends FieldBase {
  readonly type: "boolean";
}

export interface ArrayField extends FieldBase {
  readonly type: "array";
  readonly items: FieldSchema;
  readonly maxItems?: number;
}

export type Field = StringField | IntegerField | BooleanField | ArrayField;
export type FieldSchema = { readonly [name: string]: Field };

type Value<F extends Field> = F extends StringField
  ? F extends { readonly enum: readonly (infer Choice)[] } ? Choice : string
  : F extends IntegerField ? number
  : F extends BooleanField ? boolean
  : F extends ArrayField ? readonly (InputOf<F["items"]> & UnknownNames)[]
  : never;

/** Names sent with an item that are none of its fields, where their value may be a line or a range. */
export interface UnknownNames {
  readonly unknown?: readonly string[];
}

/** The typed value that `fields` describe; an optional field that was absent is undefined. */
export type InputOf<Fields extends FieldSchema> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly optional: true }
    ? Value<Fields[Name]> | undefined
    : Value<Fields[Name]>;
};

/** JSON Schema of one tool's arguments: single types only, optional means absent from `required`. */
export interface PublishedSchema {
  readonly [key: string]: unknown;
  readonly type: "object";
  readonly properties: { readonly [name: string]: { readonly [key: string]: unknown } };
  readonly required: string[];
}

export function publishSchema(fields: FieldSchema): PublishedSchema {
  const properties: { [name: string]: { [key: string]: unknown } } = {};
  for (const [name, field] of Object.entries(fields)) properties[name] = publishField(field);
  const required = Object.entries(fields).filter(([, field]) => !field.optional).map(([name]) =>
    name
  );
  return { type: "object", properties, required };
}

/** Bounds are checked when a call is read; some model providers reject a schema that has them. */
function publishField(field: Field): { [key: string]: unknown } {
  const { type, description } = field;
  switch (field.type) {
    case "string":
      return { type, description, ...(field.enum ? { enum: [...field.enum] } : {}) };
    case "integer":
    case "boolean":
      return { type, description };
    case "array":
      return { type, description, items: publishSchema(field.items) };
  }
}
