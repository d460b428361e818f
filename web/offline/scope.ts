/**
 * The part of a service worker's global scope that is used here; the type declarations of pages do not
 * contain it.
 */

export interface ExtendableSiteEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface SiteFetchEvent extends ExtendableSiteEvent {
  readonly request: Request;
  /** The id of the page that made the request; empty when the engine does not give it. */
  readonly clientId: string;
  /** The id of the page that the response will become; absent in old engines. */
  readonly resultingClientId?: string;
  respondWith(answer: Promise<Response>): void;
}

export interface OpenPage {
  readonly id: string;
  readonly url: string;
}

interface Events {
  install: ExtendableSiteEvent;
  activate: ExtendableSiteEvent;
  fetch: SiteFetchEvent;
  message: ExtendableSiteEvent & { readonly data: unknown };
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
