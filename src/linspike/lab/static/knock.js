// A shared link has no token. A browser that was here before knows it and goes in with the same document.
const token = localStorage.getItem("linspike-lab-token");
const tried = sessionStorage.getItem("linspike-lab-tried");
if (token && token !== tried) {
  sessionStorage.setItem("linspike-lab-tried", token);
  location.replace(`/?token=${encodeURIComponent(token)}${location.hash}`);
}
