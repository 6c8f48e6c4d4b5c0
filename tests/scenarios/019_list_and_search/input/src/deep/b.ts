import { a } from "../a.ts";
