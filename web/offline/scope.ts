/** What a service worker uses of its global scope: the declarations that pages are checked with have none of it. */

export interface Work extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface Asked extends Work {
  readonly request: Request;
  /** The page that asks; empty where the engine does not say. */
  readonly clientId: string;
  /** The page that will be made of the answer; absent in old engines. */
  readonly resultingClientId?: string;
  respondWith(answer: Promise<Response>): void;
}

export interface OpenPage {
  readonly id: string;
  readonly url: string;
}

interface Events {
  install: Work;
  activate: Work;
  fetch: Asked;
  message: Work & { readonly data: unknown };
}

export interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
}
