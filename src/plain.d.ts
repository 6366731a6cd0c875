/**
 * The globals of both Node and the DOM that folders without their types may use: the class of the URL standard, reduced to the
 * members in use (https://url.spec.whatwg.org/#url-class).
 */
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  static parse(url: string, base?: string): URL | null;
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly searchParams: { keys(): Iterable<string> };
}
