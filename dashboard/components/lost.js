// Whenever the server goes away this page says so in our own words, and comes back by itself.
(() => {
  const words = WORDS;
  const SHOWN_MS = 1500, STUCK_MS = 8000, EXPECTED_S = 30;
  let run, since, timer, leaving = false;

  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("open", back);
      this.addEventListener("close", lost);
    }
  };
  window.addEventListener("pagehide", () => { leaving = true; });

  const asked = () => fetch("/healthz", { cache: "no-store" }).then((answer) => answer.json());

  function back() {
    clearInterval(timer);
    timer = undefined;
    document.documentElement.classList.remove("vigil-lost");
    document.getElementById("vigil-lost")?.remove();
    asked().then((said) => { run = said.run; }, () => {});
  }

  function lost() {
    const going = document.querySelector("[data-going]")?.dataset.going;
    if (going) localStorage.setItem("vigil-going", JSON.stringify({ going, at: Date.now() }));
    if (timer || leaving) return;
    since = Date.now();
    timer = setInterval(look, 500);
  }

  function look() {
    if (Date.now() - since < SHOWN_MS) return;
    show();
    asked().then((said) => {
      const another = run !== undefined && said.run !== run;
      if (another || (Date.now() - since > STUCK_MS && mayReload())) again();
    }, () => {});
  }

  // Another place knows nothing of an alert that was looked at here.
  function again() {
    clearInterval(timer);
    if (goal() && window.location.pathname === "/alert") window.location.assign("/");
    else window.location.reload();
  }

  // A server that answers and lets nobody in, such as one where the sign-in has ended, is asked for its page.
  function mayReload() {
    const last = Number(sessionStorage.getItem("vigil-reloaded") ?? 0);
    if (Date.now() - last < 60000) return false;
    sessionStorage.setItem("vigil-reloaded", Date.now());
    return true;
  }

  function goal() {
    const told = JSON.parse(localStorage.getItem("vigil-going") ?? "null");
    return told && Date.now() - told.at < 120000 ? told.going : "";
  }

  function show() {
    const box = document.getElementById("vigil-lost") ?? make();
    const seconds = Math.round((Date.now() - since) / 1000);
    box.querySelector("h2").textContent = goal() ? words.going.replace("{}", goal()) : words.lost;
    box.querySelector(".so-far").textContent = words.far.replace("{}", seconds);
    box.querySelector("progress").value = Math.min(seconds, EXPECTED_S * 0.95);
  }

  function make() {
    document.documentElement.classList.add("vigil-lost");
    const box = document.createElement("section");
    box.id = "vigil-lost";
    box.setAttribute("role", "alert");
    for (const name of ["h2", "p", "progress", "p"]) box.appendChild(document.createElement(name));
    box.querySelector("p").textContent = words.back;
    box.lastChild.className = "so-far";
    box.querySelector("progress").max = EXPECTED_S;
    box.querySelector("progress").setAttribute("aria-label", words.lost);
    const style = document.createElement("style");
    style.textContent = `
      html.vigil-lost [role="dialog"] { display: none !important; }
      #vigil-lost { position: fixed; inset: 0; z-index: 10000000; display: grid; place-content: center; justify-items: center;
        gap: 8px; padding: 24px; text-align: center; font: 1.1rem/1.5 system-ui, sans-serif; color-scheme: light dark;
        background: light-dark(#f2f5f7ee, #10161cee); color: light-dark(#16212b, #e8eef3); }
      #vigil-lost h2 { font-size: 1.8rem; margin: 0; } #vigil-lost p { margin: 0; }
      #vigil-lost progress { width: min(28rem, 80vw); height: 14px; accent-color: light-dark(#0b5c8a, #56b4e9); }`;
    box.appendChild(style);
    document.body.appendChild(box);
    return box;
  }
})();
