/** WordPress with MariaDB from Debian's packages, in its own folder: posts by an administrator and by an author without unfiltered HTML. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SetupError } from "../../toolchain/progress.mjs";
import { ask, onPath, run } from "../../toolchain/run.mjs";

const source = "/usr/share/wordpress";
export const packages = [
  "wordpress",
  "wordpress-theme-twentytwentythree",
  "mariadb-server",
  "php-cli",
  "php-mysql",
  "php-xml",
  "php-mbstring",
];

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a program that keeps running; returns the function that stops it. */
function start(program, args, options) {
  const child = spawn(program, args, { stdio: "ignore", ...options });
  return () => child.kill();
}

async function until(isReady, what) {
  for (let tried = 0; tried < 60; tried += 1) {
    if (await isReady()) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new SetupError(`${what} did not start`);
}

const php = (text) => `<?php\n${text}\n`;

/** WordPress's configuration. Requests to this machine are allowed, on any port. */
const config = (database, site) =>
  php(`define('DB_NAME', 'wp'); define('DB_USER', 'wp'); define('DB_PASSWORD', 'wp'); define('DB_HOST', '127.0.0.1:${database}');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', ''); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $key) define($key, $key);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
define('WP_CONTENT_DIR', ABSPATH . 'wp-content');
require_once ABSPATH . 'wp-settings.php';
// ${site}`);

const install = (folder, port) =>
  php(`define('WP_INSTALLING', true); $_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '/';
require '${folder}/wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
wp_install('Posts', 'admin', 'admin@blog.example', true, '', 'admin');
foreach (['siteurl', 'home'] as $option) update_option($option, 'http://127.0.0.1:${port}');
update_option('permalink_structure', '');`);

const insert = (folder, port) =>
  php(`$_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '/';
require '${folder}/wp-load.php';
$author = wp_create_user('author', 'author', 'author@blog.example');
(new WP_User($author))->set_role('author');
$made = [];
foreach (json_decode(file_get_contents('${folder}/posts.json'), true) as $post) {
  $user = $post['author'] ? $author : 1;
  wp_set_current_user($user);
  kses_init();
  $id = wp_insert_post(wp_slash(['post_title' => $post['name'], 'post_content' => $post['content'], 'post_status' => 'publish', 'post_author' => $user]));
  $made[$post['name']] = $id;
}
echo json_encode($made);`);

const block = (content) => `<!-- wp:html -->\n${content}\n<!-- /wp:html -->`;
const embedded = (url) =>
  `<!-- wp:embed {"url":"${url}","type":"rich"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${url}\n</div></figure>\n<!-- /wp:embed -->`;

/** Starts a blog with the posts; returns their addresses, and the function that stops it all. `sharedPage` is the address of a page to share. */
export async function startBlog({ code, sitePort, sharedPage }) {
  const missing = ["mariadbd", "mariadb-install-db", "php"].filter(
    (name) => !onPath(name, `${process.env.PATH}:/usr/sbin`),
  );
  if (missing.length || !existsSync(source))
    throw new SetupError(
      `there is no ${missing.join(", no ") || "WordPress"} (Debian's packages ${packages.join(" ")})`,
    );
  const place = mkdtempSync(join(tmpdir(), "blog-"));
  const ends = [];
  const stop = () => {
    for (const end of ends.reverse()) end();
    rmSync(place, { recursive: true, force: true });
  };
  try {
    const [database, port] = [await freePort(), await freePort()];
    const data = join(place, "data");
    const blog = join(place, "blog");
    const socket = join(place, "socket");
    mkdirSync(data);
    await run("chmod", ["755", place]);
    await run("chown", ["mysql", place, data]);
    await run("mariadb-install-db", [
      "--user=mysql",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
    ]);
    const settings = [
      "--user=mysql",
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${database}`,
      "--bind-address=127.0.0.1",
    ];
    ends.push(
      start(onPath("mariadbd", `${process.env.PATH}:/usr/sbin`), [...settings, `--pid-file=${place}/pid`]),
    );
    await until(() => ask("mariadb-admin", [`--socket=${socket}`, "ping"]) !== null, "MariaDB");
    const grant =
      "create database wp; create user wp@'127.0.0.1' identified by 'wp'; grant all on wp.* to wp@'127.0.0.1';";
    await run("mariadb", [`--socket=${socket}`, "-e", grant]);
    cpSync(source, blog, {
      recursive: true,
      dereference: true,
      filter: (from) => !from.endsWith("wp-config.php"),
    });
    writeFileSync(join(blog, "wp-config.php"), config(database, sitePort));
    mkdirSync(join(blog, "wp-content/mu-plugins"), { recursive: true });
    const local = `add_filter('http_request_host_is_external', '__return_true');\nadd_filter('http_allowed_safe_ports', fn($ports) => [...$ports, ${sitePort}]);`;
    writeFileSync(join(blog, "wp-content/mu-plugins/local.php"), php(local));
    const posts = ["frame", "element"].flatMap((kind) =>
      [false, true].map((author) => ({
        name: `${author ? "author" : "administrator"}, ${kind}`,
        author,
        content: block(code("wordpress", kind)),
      })),
    );
    posts.push({ name: "author, Embed block", author: true, content: embedded(sharedPage) });
    writeFileSync(join(blog, "posts.json"), JSON.stringify(posts));
    writeFileSync(join(place, "install.php"), install(blog, port));
    writeFileSync(join(place, "insert.php"), insert(blog, port));
    await run("php", [join(place, "install.php")]);
    ends.push(
      start("php", ["-S", `127.0.0.1:${port}`], {
        cwd: blog,
        env: { ...process.env, PHP_CLI_SERVER_WORKERS: "4" },
      }),
    );
    const made = JSON.parse(await run("php", [join(place, "insert.php")]));
    const base = `http://127.0.0.1:${port}/`;
    await until(
      () =>
        fetch(base).then(
          () => true,
          () => false,
        ),
      "WordPress",
    );
    return { posts: Object.entries(made).map(([name, id]) => ({ name, address: `${base}?p=${id}` })), stop };
  } catch (error) {
    stop();
    throw error;
  }
}
